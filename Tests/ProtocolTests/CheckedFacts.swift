/// Digests of our facts as they were when each was identical to the release that its file names.
enum CheckedFacts {
  static let digests = [
    "alpha-modifier-v1.xml": "24baf80ec15a8c9d",
    "color-management-v1.xml": "6fe7638701e6be12",
    "color-representation-v1.xml": "d415535dcbc1db39",
    "commit-timing-v1.xml": "19a4f5009d4b398",
    "cursor-shape-v1.xml": "9be2f588fa3ef020",
    "fifo-v1.xml": "d5f6564061c10c3a",
    "linux-dmabuf-v1.xml": "348ac2e8eb72ab63",
    "linux-drm-syncobj-v1.xml": "dcf40931f783740f",
    "presentation-time.xml": "67358ad8a01199c1",
    "wayland.xml": "2045ebd27ca9786b",
    "xdg-shell.xml": "c798810714357a78",
  ]
}
