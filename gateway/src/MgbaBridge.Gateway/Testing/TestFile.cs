using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Bundled;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Where tests come from: a test file, or a ROM that tests itself.</summary>
/// <param name="Path">The file.</param>
internal abstract record TestSource(string Path);

/// <summary>A ROM that tests itself: its log and its exit code say what passed.</summary>
internal sealed record SelfTestRom(string Path) : TestSource(Path);

/// <summary>A ROM of a suite that has a rule.</summary>
/// <param name="Path">The ROM.</param>
/// <param name="Rule">The rule.</param>
/// <param name="Number">Which rule of the ROM, from 1.</param>
internal sealed record RuledRom(string Path, VerdictRule Rule, int Number) : TestSource(Path);

/// <summary>A ROM in a folder that no rule fits.</summary>
internal sealed record UnruledRom(string Path) : TestSource(Path);

/// <summary>Tests of one ROM.</summary>
/// <param name="Path">The file.</param>
/// <param name="Rom">The ROM: a file, or one of <see cref="BundledGames"/>.</param>
/// <param name="Tests">The tests.</param>
internal sealed record TestFile(string Path, string Rom, IReadOnlyList<GameTest> Tests) : TestSource(Path)
{
    /// <summary>The clock of games unless the file says another: the same in each run, at any time of day.</summary>
    public const string DefaultClock = "emulated:2000-01-01T00:00";

    /// <summary>What the emulator is started with. The tests start from its state; without one from a console that is switched on.</summary>
    public EmulatorOptions Options { get; init; } = new();

    /// <summary>The property map, or null.</summary>
    public string? Properties { get; init; }

    /// <summary>The file of symbols, or null.</summary>
    public string? Symbols { get; init; }

    /// <summary>The save data with which the game starts; null for none. Those of a state do not count then.</summary>
    public string? Save { get; init; }

    /// <summary>Steps that run once: the tests start behind them.</summary>
    public IReadOnlyList<TestStep> Setup { get; init; } = [];

    /// <summary>The folder to which the emulator writes all frames (<c>--render</c>); null when it writes none.</summary>
    public string? Render { get; init; }

    /// <summary>Whether the one test runs without being started from a state, which some files that mGBA plays do not have.</summary>
    public bool IsSingle { get; init; }
}

/// <summary>Which test it is.</summary>
/// <param name="Path">The file that it is in.</param>
/// <param name="Number">Which test of the file, from 1.</param>
/// <param name="Name">Its name.</param>
/// <param name="Line">Its line in the file, or in its source; 1 where there is none.</param>
internal sealed record TestId(string Path, int Number, string Name, int Line)
{
    /// <summary>The file with its source, as a ROM that tests itself names it; null where that is not known.</summary>
    public string? Source { get; init; }

    /// <summary>The rule that judges it; null for steps and logs.</summary>
    public string? Rule { get; init; }

    /// <summary>The file with its text.</summary>
    public string File => Source ?? Path;
}

/// <summary>A test.</summary>
/// <param name="Id">Which it is.</param>
/// <param name="Frames">The most frames that it may run.</param>
/// <param name="ExpectsFailure">Whether it passes when a step fails.</param>
/// <param name="Steps">Its steps.</param>
internal sealed record GameTest(TestId Id, long Frames, bool ExpectsFailure, IReadOnlyList<TestStep> Steps);

/// <summary>A step of a test.</summary>
/// <param name="Line">Where it is.</param>
internal abstract record TestStep(int Line);

/// <summary>Runs frames.</summary>
internal sealed record WaitStep(int Line, long Frames) : TestStep(Line);

/// <summary>Holds keys for frames, then releases them for one frame.</summary>
internal sealed record PressStep(int Line, KeySet Keys, long Frames) : TestStep(Line);

/// <summary>Holds keys from now on.</summary>
internal sealed record HoldStep(int Line, KeySet Keys) : TestStep(Line);

/// <summary>Releases keys.</summary>
internal sealed record ReleaseStep(int Line, KeySet Keys) : TestStep(Line);

/// <summary>Sets sensors of the cartridge from now on.</summary>
internal sealed record SensorStep(int Line, SetSensors Sensors) : TestStep(Line);

/// <summary>Shows a picture to the camera of the cartridge from now on.</summary>
internal sealed record CameraStep(int Line, string File) : TestStep(Line);

/// <summary>Sets the clock of the cartridge from now on.</summary>
internal sealed record ClockStep(int Line, SetClock Clock) : TestStep(Line);

/// <summary>Runs frames until a condition holds.</summary>
internal sealed record UntilStep(int Line, Condition Condition, long Frames) : TestStep(Line);

/// <summary>Fails unless a condition holds.</summary>
internal sealed record ExpectStep(int Line, Condition Condition) : TestStep(Line);

/// <summary>Fails unless a value of the game is equal.</summary>
internal sealed record ValueStep(int Line, string Name, JsonNode? Expected) : TestStep(Line);

/// <summary>Writes a value of the game.</summary>
internal sealed record WriteStep(int Line, string Name, JsonElement Value) : TestStep(Line);

/// <summary>Fails unless the picture is equal, but for some pixels.</summary>
internal sealed record PictureStep(int Line, string File, PictureRegion? Region, long Difference, PictureComparison Comparison) : TestStep(Line);

/// <summary>Fails unless the game has saved the same.</summary>
internal sealed record SaveStep(int Line, string File) : TestStep(Line);

/// <summary>Fails unless the game takes so many cycles at most, in as many frames.</summary>
internal sealed record MeasureStep(int Line, CycleLimit Limit, long Frames) : TestStep(Line);

/// <summary>Fails unless the game has logged a text since the test began.</summary>
internal sealed record LogStep(int Line, string Text) : TestStep(Line);

/// <summary>Plays a recording.</summary>
internal sealed record ReplayStep(int Line, string File, bool KeysOnly) : TestStep(Line);

/// <summary>Resets the game.</summary>
internal sealed record ResetStep(int Line) : TestStep(Line);

/// <summary>A part of a picture, in pixels.</summary>
internal readonly record struct PictureRegion(int X, int Y, int Width, int Height);

/// <summary>A test file is wrong.</summary>
internal sealed class TestFileException : Exception
{
    /// <summary>At a place of the file.</summary>
    public TestFileException(string path, int line, int column, string reason)
        : base($"{path}:{line}:{column}: {reason}")
    {
    }

    /// <summary>As a whole.</summary>
    public TestFileException(string message)
        : base(message)
    {
    }
}
