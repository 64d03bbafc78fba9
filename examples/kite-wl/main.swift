print("kite-wl: not built yet")
