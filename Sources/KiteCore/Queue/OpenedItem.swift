/// An open item: its source, and the decoder for its pictures.
///
/// Unchecked, because the thread that opens it hands it to the demuxer under the engine's lock, and from then on only that
/// one touches it.
final class OpenedItem: @unchecked Sendable {
  let entry: QueueEntry
  var source: any MediaSource
  var facts: ItemFacts
  /// The decoder that opening made; whoever comes later makes another.
  private var decoder: (any VideoDecoder)?
  /// Packets were read: who begins anew goes back to its start first.
  var isRead = false

  init(facts: ItemFacts, source: any MediaSource, decoder: (any VideoDecoder)?) {
    entry = facts.entry
    self.source = source
    self.facts = facts
    self.decoder = decoder
  }

  /// A decoder for its pictures that nothing was sent to; nil without video.
  func takeDecoder(_ options: VideoDecoderOptions) throws(MediaError) -> Handoff<any VideoDecoder>? {
    guard let track = facts.video else { return nil }
    defer { decoder = nil }
    if let decoder { return Handoff(decoder) }
    return Handoff(try source.makeVideoDecoder(for: track.id, options: options))
  }
}

/// Something that one thread makes and another one takes.
///
/// Unchecked, because the maker keeps nothing of it, and it is taken under the engine's lock.
final class Handoff<Content>: @unchecked Sendable {
  let content: Content
  init(_ content: Content) { self.content = content }
}
