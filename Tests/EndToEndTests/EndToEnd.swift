import Testing

/// Everything that a user of the whole program meets, one after the other: a compositor, a player and an encoder at once
/// are enough for a small machine.
@Suite(.serialized) enum EndToEnd {}
