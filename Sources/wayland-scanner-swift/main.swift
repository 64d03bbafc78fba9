print("wayland-scanner-swift: not built yet")
