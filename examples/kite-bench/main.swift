print("kite-bench: not built yet")
