/// Draws a window and what is inside of it as a screen would: nearest pixels, whatever is above hides what is below.
struct Composition {
  let root: ServerSurface
  let scale120: Int
  let matrix: YUVMatrix

  func draw() -> Picture {
    let size = root.content.size
    var picture = Picture(width: physical(size.width), height: physical(size.height))
    draw(root, x: 0, y: 0, into: &picture)
    return picture
  }

  /// Edges of surfaces fall on whole physical pixels: half of one away from zero, as the protocol rounds sizes.
  private func physical(_ logical: Int) -> Int { (logical * scale120 + 60) / 120 }

  private func draw(_ surface: ServerSurface, x: Int, y: Int, into picture: inout Picture) {
    for entry in surface.content.stack {
      switch entry {
      case .own: drawContent(of: surface, x: x, y: y, into: &picture)
      case .child(let child):
        guard child.content.buffer != nil, let position = child.subsurface?.position else { continue }
        draw(child, x: x + position.x, y: y + position.y, into: &picture)
      }
    }
  }

  private func drawContent(of surface: ServerSurface, x: Int, y: Int, into picture: inout Picture) {
    let content = surface.content
    guard let buffer = content.buffer, let shown = buffer.picture(bytes: content.frozen, matrix: matrix)
    else {
      return
    }
    let geometry = content.geometry(of: buffer)
    let (left, top) = (physical(x), physical(y))
    let (right, bottom) = (physical(x + content.size.width), physical(y + content.size.height))
    guard right > left, bottom > top else { return }
    for row in max(0, top)..<max(0, top, min(bottom, picture.height)) {
      for column in max(0, left)..<max(0, left, min(right, picture.width)) {
        let u = (Double(column - left) + 0.5) / Double(right - left)
        let v = (Double(row - top) + 0.5) / Double(bottom - top)
        let (bufferX, bufferY) = geometry.bufferPixel(u: u, v: v)
        picture[column, row] = shown[bufferX, bufferY]
      }
    }
  }
}
