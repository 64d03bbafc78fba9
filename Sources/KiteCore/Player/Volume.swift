/// How loud a player is, as it is kept from one item to the next.
struct Volume: Hashable {
  /// 0…1.
  var level = 1.0
  var isMuted = false

  /// The factor of all samples. Loudness is heard by ratios: the cube of the level comes close to that.
  var gain: Float { isMuted ? 0 : Float(level * level * level) }

  func tell(_ state: inout PlayerState) {
    state.volume = level
    state.isMuted = isMuted
  }
}
