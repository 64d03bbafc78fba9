// swift-tools-version: 6.2
// The targets stand in the order in which they build on each other, lowest first; no arrow points back up.
// Tests/PackageTests holds that.
import Foundation
import PackageDescription

/// Settings of every Swift target: existentials are spelled out, and an import is private unless it says otherwise.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library of the system, reached through a shim header of our own; `deb` is the Debian package that brings it.
func system(_ name: String, pkgConfig: String?, deb: [String]) -> Target {
  .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt(deb)])
}

func library(_ name: String, _ dependencies: [Target.Dependency], plugins: [Target.PluginUsage] = [])
  -> Target
{
  .target(name: name, dependencies: dependencies, swiftSettings: settings, plugins: plugins)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [],
  plugins: [Target.PluginUsage] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: settings, plugins: plugins)
}

/// The programs that embed a view in a window of another toolkit: each where that toolkit is installed.
func embedding(_ name: String, _ module: String, pkgConfig: String, header: String, deb: String) -> [Target] {
  guard FileManager.default.fileExists(atPath: "/usr/include/\(header)") else { return [] }
  return [
    system(module, pkgConfig: pkgConfig, deb: [deb]),
    .executableTarget(
      name: name, dependencies: ["Kite", .target(name: module)], path: "examples/\(name)",
      swiftSettings: settings),
  ]
}

let embeddings =
  embedding("embed-gtk4", "CGtk4", pkgConfig: "gtk4", header: "gtk-4.0/gtk/gtk.h", deb: "libgtk-4-dev")
  + embedding("embed-sdl2", "CSDL2", pkgConfig: "sdl2", header: "SDL2/SDL.h", deb: "libsdl2-dev")

let package = Package(
  name: "Kite",
  products: [
    .library(name: "Kite", targets: ["Kite"]),
    .library(name: "KiteCore", targets: ["KiteCore"]),
    .library(name: "KiteViews", targets: ["KiteViews"]),
    .library(name: "KiteFFmpeg", targets: ["KiteFFmpeg"]),
    .library(name: "KiteAudio", targets: ["KiteAudio"]),
    .library(name: "KiteSubtitles", targets: ["KiteSubtitles"]),
    .library(name: "KiteOutput", targets: ["KiteOutput"]),
    .library(name: "KiteDesktop", targets: ["KiteDesktop"]),
    .library(name: "WaylandToolkit", targets: ["WaylandToolkit"]),
    .library(name: "Wayland", targets: ["Wayland"]),
    .executable(name: "kite-wl", targets: ["kite-wl"]),
    .executable(name: "kite-bench", targets: ["kite-bench"]),
    .executable(name: "wayland-scanner-swift", targets: ["wayland-scanner-swift"]),
    .plugin(name: "WaylandScannerPlugin", targets: ["WaylandScannerPlugin"]),
  ],
  targets: [
    // What Swift can't import from C: macros, variadics, statics. Headers only.
    system("CLinux", pkgConfig: nil, deb: ["libc6-dev"]),
    system("CWayland", pkgConfig: "wayland-client", deb: ["libwayland-dev"]),
    system("CWaylandCursor", pkgConfig: "wayland-cursor", deb: ["libwayland-dev"]),
    system("CXkbcommon", pkgConfig: "xkbcommon", deb: ["libxkbcommon-dev"]),
    system("CWaylandServer", pkgConfig: "wayland-server", deb: ["libwayland-dev"]),
    system(
      "CFFmpeg", pkgConfig: "libavformat libavcodec libavutil libswresample libswscale",
      deb: [
        "libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libavutil-dev", "libswresample-dev",
        "libswscale-dev",
      ]),
    system("CPipeWire", pkgConfig: "libpipewire-0.3", deb: ["libpipewire-0.3-dev"]),
    system("CSystemd", pkgConfig: nil, deb: ["libsystemd-dev"]),
    system("CAss", pkgConfig: nil, deb: ["libass-dev"]),
    system(
      "CConvert", pkgConfig: "libswscale libavutil", deb: ["libyuv-dev", "libswscale-dev", "libavutil-dev"]),

    // Measured beside the others by bench-conversion, used by nothing else.
    system("CZimg", pkgConfig: "zimg", deb: ["libzimg-dev"]),

    // Files, memory, timers and polling of the kernel, typed.
    library("KiteSystem", ["CLinux"]),

    // Protocol code, made at build from the XML in Protocols/ and in the wayland-protocols package.
    library("WaylandScanner", []),
    .executableTarget(
      name: "wayland-scanner-swift", dependencies: ["WaylandScanner"], swiftSettings: settings),
    .plugin(
      name: "WaylandScannerPlugin", capability: .buildTool(), dependencies: ["wayland-scanner-swift"],
      path: "Sources/WaylandScannerPlugin"),
    library("Wayland", ["CWayland", "KiteSystem"], plugins: ["WaylandScannerPlugin"]),
    library("WaylandToolkit", ["Wayland", "KiteSystem", "CLinux", "CWaylandCursor", "CXkbcommon"]),

    // The engine and the view.
    library("KiteCore", ["KiteSystem"]),
    library("KiteViews", ["KiteCore", "WaylandToolkit", "Wayland", "KiteSystem"]),
    library("KiteFFmpeg", ["KiteCore", "KiteSystem", "CFFmpeg", "CLinux"]),
    library("KiteAudio", ["KiteCore", "KiteSystem", "CPipeWire", "CLinux"]),
    library("KiteSubtitles", ["KiteCore", "CAss"]),
    library("KiteOutput", ["KiteCore", "KiteViews", "WaylandToolkit", "Wayland", "KiteSystem", "CConvert"]),
    library("KiteDesktop", ["KiteCore", "KiteViews", "KiteSystem", "CSystemd"]),
    library(
      "Kite",
      [
        "KiteCore", "KiteViews", "KiteFFmpeg", "KiteOutput", "KiteAudio", "KiteSubtitles", "KiteDesktop",
        "WaylandToolkit", "Wayland", "KiteSystem",
      ]),

    // Programs.
    .executableTarget(
      name: "kite-wl", dependencies: ["Kite"], path: "examples/kite-wl", swiftSettings: settings),
    .executableTarget(
      name: "first-view", dependencies: ["Kite"], path: "examples/first-view", swiftSettings: settings),
    .executableTarget(
      name: "embed-two-views", dependencies: ["Kite"], path: "examples/embed-two-views",
      swiftSettings: settings),
    .executableTarget(
      name: "kite-bench", dependencies: ["Kite"], path: "examples/kite-bench", swiftSettings: settings),

    .executableTarget(
      name: "bench-conversion",
      dependencies: ["KiteOutput", "KiteCore", "CConvert", "CZimg", "ConversionReference"],
      path: "examples/bench-conversion", swiftSettings: settings),

    // What the tests stand on: a compositor inside the test's process, and the real ones as child processes.
    .target(
      name: "TestCompositor", dependencies: ["Wayland", "CWaylandServer", "KiteSystem"],
      path: "Tests/Support/TestCompositor",
      swiftSettings: settings, plugins: ["WaylandScannerPlugin"]),
    .target(
      name: "TestMedia", dependencies: ["KiteSystem"], path: "Tests/Support/TestMedia",
      swiftSettings: settings),

    .target(
      name: "TestServer", dependencies: ["KiteSystem"], path: "Tests/Support/TestServer",
      swiftSettings: settings),

    .target(
      name: "TestDisplay", dependencies: ["TestMedia"], path: "Tests/Support/TestDisplay",
      swiftSettings: settings),

    .executableTarget(
      name: "toolkit-probe", dependencies: ["WaylandToolkit", "Wayland", "KiteSystem", "CLinux"],
      path: "Tests/Support/ToolkitProbe", swiftSettings: settings),

    .executableTarget(
      name: "view-probe", dependencies: ["Kite"], path: "Tests/Support/ViewProbe", swiftSettings: settings),

    .target(
      name: "ConversionReference", dependencies: ["KiteCore"], path: "Tests/Support/ConversionReference",
      swiftSettings: settings),

    .target(
      name: "ViewStage",
      dependencies: ["TestCompositor", "KiteViews", "KiteCore", "WaylandToolkit", "KiteSystem"],
      path: "Tests/Support/ViewStage", swiftSettings: settings),

    tests("PackageTests", []),
    tests("KiteSystemTests", ["KiteSystem"]),
    tests("WaylandScannerTests", ["WaylandScanner"], resources: [.copy("Golden")]),
    tests("ProtocolTests", ["WaylandScanner"]),
    tests("TestCompositorTests", ["TestCompositor", "Wayland", "KiteSystem"]),
    tests(
      "WaylandTests", ["Wayland", "CWayland", "KiteSystem", "TestCompositor"],
      plugins: ["WaylandScannerPlugin"]),
    tests(
      "WaylandToolkitTests",
      ["WaylandToolkit", "Wayland", "KiteSystem", "CLinux", "TestCompositor", "toolkit-probe"]),
    tests("KiteCoreTests", ["KiteCore", "KiteSystem"]),
    tests("KiteFFmpegTests", ["KiteFFmpeg", "KiteCore", "KiteSystem", "CFFmpeg", "TestMedia", "TestServer"]),
    tests("KiteSubtitlesTests", ["KiteSubtitles", "KiteCore"]),
    tests(
      "KiteAudioTests",
      [
        "KiteAudio", "KiteCore", "KiteFFmpeg", "KiteOutput", "KiteViews", "KiteSystem", "CPipeWire",
        "TestMedia",
        "TestDisplay", "TestCompositor", "ViewStage", "WaylandToolkit",
      ]),
    tests(
      "KiteViewsTests",
      ["KiteViews", "KiteCore", "KiteSystem", "Wayland", "WaylandToolkit", "TestCompositor", "ViewStage"]),
    tests(
      "KiteOutputTests",
      [
        "KiteOutput", "CLinux", "ConversionReference", "KiteCore", "KiteViews", "KiteSystem", "Wayland",
        "WaylandToolkit", "TestCompositor", "ViewStage",
      ]),
    tests(
      "KiteDesktopTests",
      ["KiteDesktop", "KiteCore", "KiteViews", "KiteSystem", "CSystemd", "TestDisplay", "ViewStage"]),
    tests(
      "EndToEndTests",
      [
        "kite-wl", "first-view", "embed-two-views", "view-probe", "TestDisplay", "TestMedia",
        "WaylandToolkit", "KiteSystem",
      ]),
  ] + embeddings,
  swiftLanguageModes: [.v6]
)
