using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Tests of one ROM.</summary>
/// <param name="Path">The file.</param>
/// <param name="Rom">The ROM.</param>
/// <param name="State">The save state from which the tests start; null for a console that is switched on.</param>
/// <param name="Properties">The property map, or null.</param>
/// <param name="Symbols">The file of symbols, or null.</param>
/// <param name="Setup">Steps that run once: the tests start behind them.</param>
/// <param name="Tests">The tests.</param>
internal sealed record TestFile(string Path, string Rom, string? State, string? Properties, string? Symbols, IReadOnlyList<TestStep> Setup, IReadOnlyList<GameTest> Tests);

/// <summary>A test.</summary>
/// <param name="Number">Which test of the file it is, from 1.</param>
/// <param name="Name">Its name.</param>
/// <param name="Line">Where it is.</param>
/// <param name="Frames">The most frames that it may run.</param>
/// <param name="ExpectsFailure">Whether it passes when a step fails.</param>
/// <param name="Steps">Its steps.</param>
internal sealed record GameTest(int Number, string Name, int Line, long Frames, bool ExpectsFailure, IReadOnlyList<TestStep> Steps);

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

/// <summary>Runs frames until a condition holds.</summary>
internal sealed record UntilStep(int Line, Condition Condition, long Frames) : TestStep(Line);

/// <summary>Fails unless a condition holds.</summary>
internal sealed record ExpectStep(int Line, Condition Condition) : TestStep(Line);

/// <summary>Fails unless a value of the game is equal.</summary>
internal sealed record ValueStep(int Line, string Name, JsonNode? Expected) : TestStep(Line);

/// <summary>Writes a value of the game.</summary>
internal sealed record WriteStep(int Line, string Name, JsonElement Value) : TestStep(Line);

/// <summary>Fails unless the picture is equal, but for some pixels.</summary>
internal sealed record PictureStep(int Line, string File, PictureRegion? Region, long Difference) : TestStep(Line);

/// <summary>Fails unless the game has logged a text since the test began.</summary>
internal sealed record LogStep(int Line, string Text) : TestStep(Line);

/// <summary>Resets the game.</summary>
internal sealed record ResetStep(int Line) : TestStep(Line);

/// <summary>A part of a picture, in pixels.</summary>
internal readonly record struct PictureRegion(int X, int Y, int Width, int Height);

/// <summary>A test file is wrong.</summary>
internal sealed class TestFileException(string path, int line, int column, string reason) : Exception($"{path}:{line}:{column}: {reason}");
