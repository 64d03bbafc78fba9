import Glibc

/// Plays each clip in each player, twice: once as it is, for cost; once with the wire logged, for what was shown and
/// when.
struct Bench {
  let contenders: [Contender]
  /// This program, for decoding alone.
  let program: String

  /// Where the link `link` points to.
  static func path(of link: String) throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(link, &buffer, Int(PATH_MAX))
    guard count > 0 else { throw Child.SpawnError(program: link, code: errno) }
    return buffer.withUnsafeBufferPointer {
      String(decoding: UnsafeRawBufferPointer($0)[..<count], as: UTF8.self)
    }
  }

  /// One line of the table.
  private struct Row {
    let name: String
    var cost = "–"
    var sleeps = "–"
    var memory = "–"
    var first = "–"
    var shown = "–"
    var drawn = "–"
    var presented = "–"
    var seconds = "–"
    var note = ""
    var threads = ""
  }

  /// Measures one file and prints its table.
  func run(_ path: String) throws {
    guard let (clip, decoding) = try decode(path) else {
      print("\(path): can't be decoded")
      return
    }
    let name = path.split(separator: "/").last ?? ""
    let alone = Self.perFrame(decoding.steady, clip)
    print(
      "\n\(name): \(clip.width)×\(clip.height), \(clip.frames) frames; decoding alone \(alone.cpu) ms of CPU and "
        + "\(alone.sleeps) wake-ups a frame")
    var rows: [Row] = []
    for contender in contenders { rows.append(try measure(contender, clip)) }
    Self.printTable(rows)
    for row in rows where !row.threads.isEmpty { print("  \(row.name), by thread: \(row.threads)") }
  }

  private func decode(_ path: String) throws -> (Clip, Child)? {
    var facts: [Int] = []
    let child = try Child.run([program, "--decode", path]) { line, _ in
      let words = line.split(separator: " ").compactMap { Int($0) }
      if words.count == 4 { facts = words }
    }
    guard facts.count == 4, facts[2] > 0 else { return nil }
    let duration = Int64(facts[3]) * 1_000_000
    return (Clip(path: path, width: facts[0], height: facts[1], frames: facts[2], duration: duration), child)
  }

  private func measure(_ contender: Contender, _ clip: Clip) throws -> Row {
    var row = Row(name: contender.name)
    guard contender.isInstalled else {
      row.note = "not installed"
      return row
    }
    let command = contender.command(clip)
    let plain = try Child.run(command)
    guard plain.status == 0 else {
      row.note = "failed (\(plain.status))"
      return row
    }
    // More than the film's length: the pictures were shown, but in slow motion.
    row.seconds = Self.tenths(plain.elapsed)
    // Right after it, so that both had the same machine.
    if let frames = clip.steadyFrames, plain.steady.isComplete, let (_, alone) = try decode(clip.path) {
      row.cost = Self.milliseconds((plain.steady.total.cpu - alone.steady.total.cpu) / frames)
      row.sleeps = Self.perFrame(plain.steady, clip).sleeps
      if !contender.statistics.isEmpty { row.threads = Self.threads(plain.steady, frames: frames) }
    }
    row.memory = "\(plain.peakMemory >> 20)"
    var log = WireLog(width: clip.width, height: clip.height)
    // What the player prints comes the same way as the wire's log.
    let logged = ["sh", "-c", "exec \"$@\" 1>&2", "sh"] + command + contender.statistics
    _ = try Child.run(logged, environment: ["WAYLAND_DEBUG": "1"]) { line, time in
      if line.hasPrefix("path: ") { row.note = String(line.dropFirst(6)) }
      log.take(line, at: time)
    }
    row.first = log.firstPicture.map { "\($0 / 1_000_000)" } ?? "–"
    row.shown = "\(log.pictures)"
    row.drawn = "\(log.drawn)"
    row.presented = log.presented.map { "\($0)" } ?? "–"
    return row
  }

  private static func printTable(_ rows: [Row]) {
    let table =
      [
        [
          "player", "CPU ms/frame", "wake-ups/frame", "peak MB", "first picture ms", "committed", "drawn",
          "presented",
          "seconds", "",
        ]
      ]
      + rows.map {
        [
          $0.name, $0.cost, $0.sleeps, $0.memory, $0.first, $0.shown, $0.drawn, $0.presented, $0.seconds,
          $0.note,
        ]
      }
    let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    for line in table {
      let cells = zip(line, widths).enumerated().map { index, cell in
        let pad = String(repeating: " ", count: cell.1 - cell.0.count)
        return index == 0 ? cell.0 + pad : pad + cell.0
      }
      print("  " + cells.joined(separator: "   "))
    }
  }

  /// All threads together, for one frame.
  private static func perFrame(_ account: SteadyAccount, _ clip: Clip) -> (cpu: String, sleeps: String) {
    guard let frames = clip.steadyFrames, account.isComplete else { return ("–", "–") }
    let total = account.total
    return (milliseconds(total.cpu / frames), tenths(Int64(total.sleeps) * 1_000_000_000 / frames))
  }

  /// The threads that did something, the busiest first.
  private static func threads(_ account: SteadyAccount, frames: Int64) -> String {
    account.threads.filter { $0.value.sleeps > 0 || $0.value.cpu / frames > 5000 }
      .sorted { $0.value.cpu > $1.value.cpu }
      .map { name, use in
        "\(name) \(milliseconds(use.cpu / frames)) (\(tenths(Int64(use.sleeps) * 1_000_000_000 / frames)))"
      }
      .joined(separator: ", ")
  }

  private static func tenths(_ nanoseconds: Int64) -> String {
    let tenths = (nanoseconds + 50_000_000) / 100_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func milliseconds(_ nanoseconds: Int64) -> String {
    let hundredths = (nanoseconds + 5000) / 10_000
    let sign = hundredths < 0 ? "-" : ""
    let rest = abs(hundredths) % 100
    return "\(sign)\(abs(hundredths) / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
