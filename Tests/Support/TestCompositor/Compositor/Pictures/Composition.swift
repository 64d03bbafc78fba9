/// Draws a window and what is inside of it as a screen would: nearest pixels, whatever is above hides what is below.
struct Composition {
  /// A surface's place on the screen, and what it shows.
  private struct Layer {
    let left: Int
    let top: Int
    let right: Int
    let bottom: Int
    let geometry: ContentGeometry
    let reader: PixelReader

    func contains(_ x: Int, _ y: Int) -> Bool { x >= left && x < right && y >= top && y < bottom }

    func pixel(_ x: Int, _ y: Int) -> Picture.Pixel {
      let u = (Double(x - left) + 0.5) / Double(right - left)
      let v = (Double(y - top) + 0.5) / Double(bottom - top)
      let (bufferX, bufferY) = geometry.bufferPixel(u: u, v: v)
      return reader.pixel(bufferX, bufferY)
    }
  }

  /// Physical pixels.
  let width: Int
  let height: Int
  private let scale120: Int
  private let matrix: YUVMatrix
  /// From below to above.
  private var layers: [Layer] = []

  init(root: ServerSurface, scale120: Int, matrix: YUVMatrix) {
    self.scale120 = scale120
    self.matrix = matrix
    let size = root.content.size
    width = Self.physical(size.width, scale120)
    height = Self.physical(size.height, scale120)
    add(root, x: 0, y: 0)
  }

  /// All of the window.
  func draw() -> Picture {
    var picture = Picture(width: width, height: height)
    for layer in layers {
      for y in max(0, layer.top)..<max(0, layer.top, min(layer.bottom, height)) {
        for x in max(0, layer.left)..<max(0, layer.left, min(layer.right, width)) {
          picture[x, y] = layer.pixel(x, y)
        }
      }
    }
    return picture
  }

  /// One pixel of the window; nil outside.
  func pixel(_ x: Int, _ y: Int) -> Picture.Pixel? {
    guard x >= 0, x < width, y >= 0, y < height else { return nil }
    return layers.last { $0.contains(x, y) }?.pixel(x, y) ?? .black
  }

  /// Edges of surfaces fall on whole physical pixels: half of one away from zero, as the protocol rounds sizes.
  private static func physical(_ logical: Int, _ scale120: Int) -> Int { (logical * scale120 + 60) / 120 }

  private mutating func add(_ surface: ServerSurface, x: Int, y: Int) {
    for entry in surface.content.stack {
      switch entry {
      case .own: addContent(of: surface, x: x, y: y)
      case .child(let child):
        guard child.content.buffer != nil, let position = child.subsurface?.position else { continue }
        add(child, x: x + position.x, y: y + position.y)
      }
    }
  }

  private mutating func addContent(of surface: ServerSurface, x: Int, y: Int) {
    let content = surface.content
    guard let buffer = content.buffer,
      let reader = buffer.reader(
        bytes: content.frozen, reading: YUVInterpretation(content.colors, else: matrix))
    else { return }
    let layer = Layer(
      left: Self.physical(x, scale120), top: Self.physical(y, scale120),
      right: Self.physical(x + content.size.width, scale120),
      bottom: Self.physical(y + content.size.height, scale120), geometry: content.geometry(of: buffer),
      reader: reader)
    if layer.right > layer.left, layer.bottom > layer.top { layers.append(layer) }
  }
}
