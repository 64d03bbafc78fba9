import KiteCore

// What the host says, and what becomes of the surface's last picture.
extension KitePlayerView: ViewHostObserver {
  func mapped() {
    guard !isClosed, !pairing.isMapped else { return }
    pairing.isMapped = true
    displayHold.handle(.visible(host.geometry.isVisible))
    accessibility.mapped()
    guard !pairing.isMoving else { return }
    pairing.isSurfaceUp = true
    handle(.mapped)
  }

  func unmapped() {
    pairing.isMapped = false
    handle(.unmapped)
    forgetPicture()
    accessibility.unmapped()
    takeLeave(of: host)
  }

  func hostGeometryChanged() {
    displayHold.handle(.visible(host.geometry.isVisible))
    geometryChanged()
    accessibility.hostChanged()
  }

  var hasLivePicture: Bool {
    hasPicture && pairing.lifecycle.attachedGeneration.map { $0 == pairing.newest } == true
  }

  func hostActivityChanged() { accessibility.hostChanged() }

  /// The view has another host, which has not been started. One that is up at once leaves no unmapped moment.
  func hostChanged(from old: any ViewHost) {
    let wasMapped = pairing.isMapped
    pairing.isMapped = false
    pairing.isMoving = true
    host.start()
    pairing.isMoving = false
    if pairing.isMapped {
      handle(wasMapped ? .moved : .mapped)
    } else {
      handle(.unmapped)
    }
    takeLeave(of: old)
    old.close()
    pairing.isSurfaceUp = pairing.isMapped
  }

  /// The player is in another state, or there is none.
  func playerDid(_ state: PlayerState?) {
    displayHold.handle(.playback(DisplayHold.Playback(state)))
    accessibility.playerDid(state)
  }

  /// Takes the picture off the surface.
  func clear() {
    guard pairing.isSurfaceUp else { return }
    forgetPicture()
    host.clearPicture()
  }

  func forgetPicture() {
    pairing.surfaceEpoch += 1
    hasPicture = false
  }

  /// First the picture goes, then its memory: a compositor shows anything for a buffer that ended before.
  private func takeLeave(of host: any ViewHost) {
    host.clear()
    for renderer in pairing.leaving { renderer.surfaceWillEnd() }
    pairing.leaving.removeAll()
    pairing.isSurfaceUp = false
  }
}
