using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Testing;

/// <summary>One run of steps.</summary>
/// <param name="emulator">The emulator.</param>
/// <param name="limit">The most frames.</param>
/// <param name="updates">Whether pictures and save data that differ are written instead of failing.</param>
internal sealed class TestRun(TestEmulator emulator, long limit, bool updates)
{
    private const int MaxPlaces = 3;

    private readonly List<(string Name, byte[] Content)> _files = [];
    private readonly List<string> _inputs = [];

    /// <summary>Files about a failure: what was expected, and how it differs.</summary>
    public IReadOnlyList<(string Name, byte[] Content)> Files => _files;

    /// <summary>Which keys were held for how many frames.</summary>
    public IReadOnlyList<string> Inputs => _inputs;

    /// <summary>Runs steps. Returns the first that fails and why, or null.</summary>
    /// <exception cref="TestEmulatorException">The emulator has ended.</exception>
    public async Task<TestFailure?> RunAsync(IReadOnlyList<TestStep> steps, CancellationToken cancelled)
    {
        foreach (var step in steps)
        {
            try
            {
                await RunAsync(step, cancelled);
            }
            catch (TestStepException exception)
            {
                return new TestFailure(step.Line, emulator.Frames, exception.Message) { IsMistake = exception.IsMistake };
            }
        }

        return null;
    }

    private Task RunAsync(TestStep step, CancellationToken cancelled) => step switch
    {
        WaitStep wait => RunFramesAsync(wait.Frames, cancelled),
        PressStep press => PressAsync(press, cancelled),
        HoldStep hold => Hold(emulator.Held.Mask | hold.Keys.Mask),
        ReleaseStep release => Hold(emulator.Held.Mask & ~release.Keys.Mask),
        SensorStep sensor => emulator.SetAsync(sensor.Sensors, cancelled),
        CameraStep camera => ShowAsync(camera, cancelled),
        ClockStep clock => emulator.SetAsync(clock.Clock, cancelled),
        UntilStep until => UntilAsync(until, cancelled),
        ExpectStep expect => ExpectAsync(expect, cancelled),
        ValueStep value => CompareAsync(value, cancelled),
        WriteStep write => emulator.WriteAsync(write.Name, write.Value, cancelled),
        PictureStep picture => CompareAsync(picture, cancelled),
        SaveStep save => CompareAsync(save, cancelled),
        MeasureStep measure => MeasureAsync(measure, cancelled),
        LogStep log => FindAsync(log, cancelled),
        ReplayStep replay => ReplayAsync(replay, cancelled),
        ResetStep => emulator.ResetAsync(cancelled),
        _ => throw new ArgumentException("There is no such step.", nameof(step)),
    };

    private async Task ShowAsync(CameraStep step, CancellationToken cancelled)
    {
        ReadOnlyMemory<byte> file;
        try
        {
            file = await File.ReadAllBytesAsync(step.File, cancelled);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new TestStepException($"{step.File} cannot be read: {exception.Message}", isMistake: true);
        }

        if (!CameraPicture.TryRead(new ReadOnlySequence<byte>(file), out var grey, out var wrong))
        {
            throw new TestStepException($"{step.File}: {wrong}", isMistake: true);
        }

        await emulator.SetAsync(new SetCamera(new ReadOnlySequence<byte>(grey)), cancelled);
    }

    private async Task RunFramesAsync(long count, CancellationToken cancelled)
    {
        EnsureLimit(count);
        _inputs.Add(string.Create(CultureInfo.InvariantCulture, $"{(emulator.Held.Mask == 0 ? "." : emulator.Held)} {count}"));
        await emulator.RunFramesAsync(count, cancelled);
    }

    private void EnsureLimit(long count)
    {
        if (emulator.Frames + count > limit)
        {
            throw new TestStepException(string.Create(CultureInfo.InvariantCulture, $"The test runs more than {limit} frames. Give it more with \"frames\"."));
        }
    }

    private Task Hold(int mask)
    {
        emulator.Held = new KeySet(mask);
        return Task.CompletedTask;
    }

    private async Task PressAsync(PressStep press, CancellationToken cancelled)
    {
        var before = emulator.Held;
        await Hold(before.Mask | press.Keys.Mask);
        await RunFramesAsync(press.Frames, cancelled);
        await Hold(before.Mask & ~press.Keys.Mask);
        await RunFramesAsync(1, cancelled);
    }

    private async Task UntilAsync(UntilStep until, CancellationToken cancelled)
    {
        var read = emulator.Numbers(until.Condition);
        var before = await read(cancelled);
        var now = before;
        for (var frame = 0L; !until.Condition.Holds(now, before); frame++)
        {
            if (frame == until.Frames)
            {
                throw new TestStepException(string.Create(CultureInfo.InvariantCulture, $"{until.Condition} did not hold within {until.Frames} frames: {Numbers(until.Condition, now)}."));
            }

            await RunFramesAsync(1, cancelled);
            now = await read(cancelled);
        }
    }

    private async Task ExpectAsync(ExpectStep expect, CancellationToken cancelled)
    {
        var now = await emulator.Numbers(expect.Condition)(cancelled);
        if (!expect.Condition.Holds(now, now))
        {
            throw new TestStepException($"{expect.Condition} does not hold: {Numbers(expect.Condition, now)}.");
        }
    }

    private async Task CompareAsync(ValueStep step, CancellationToken cancelled)
    {
        var found = await emulator.ReadAsync(step.Name, cancelled);
        var value = found.IsKnown ? found.Property.Type.Read(found.Bytes.Span) : null;
        if (!JsonNode.DeepEquals(value, step.Expected))
        {
            throw new TestStepException($"{step.Name} is {Text(value)}, not {Text(step.Expected)}.");
        }
    }

    private async Task CompareAsync(PictureStep step, CancellationToken cancelled)
    {
        var actual = await emulator.ReadScreenAsync(cancelled);
        var name = Path.GetFileName(step.File);
        var expected = File.Exists(step.File) ? await File.ReadAllBytesAsync(step.File, cancelled) : null;
        var (different, difference, problem) = expected is null ? (0, [], TestPictures.Missing) : TestPictures.Compare(expected, actual, step.Region, step.Comparison);
        if (problem is null && different <= step.Difference)
        {
            return;
        }

        if (updates)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(step.File)!);
            await File.WriteAllBytesAsync(step.File, actual, cancelled);
            return;
        }

        _files.AddRange(expected is null ? [] : [("expected.png", expected)]);
        _files.AddRange(problem is null ? [("difference.png", difference)] : []);
        throw new TestStepException(problem is null ? string.Create(CultureInfo.InvariantCulture, $"The picture differs from {name} in {different} pixels; {step.Difference} may differ.") : $"{name} {problem}.");
    }

    private async Task CompareAsync(SaveStep step, CancellationToken cancelled)
    {
        var name = Path.GetFileName(step.File);
        var saved = await emulator.ReadSaveAsync(cancelled) ?? throw new TestStepException("The game has no save data: it has not saved yet, or its cartridge has no memory for it.");
        var found = SaveFile.WithoutClock(saved);
        var (data, problem) = File.Exists(step.File) ? SaveFile.Read(await File.ReadAllBytesAsync(step.File, cancelled), saved, emulator.Platform) : (null, TestPictures.Missing);
        var expected = data is null ? null : SaveFile.WithoutClock(data);
        if (expected is not null && expected.AsSpan().SequenceEqual(found))
        {
            return;
        }

        if (updates)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(step.File)!);
            await File.WriteAllBytesAsync(step.File, found, cancelled);
            return;
        }

        _files.AddRange([("save.sav", found), .. expected is null ? Array.Empty<(string, byte[])>() : [("expected.sav", expected)]]);
        int[] different = expected is null ? [] : [.. Enumerable.Range(0, found.Length).Where(at => found[at] != expected[at])];
        throw new TestStepException(expected is null ? $"The bytes of {name} {problem}." : string.Create(
            CultureInfo.InvariantCulture, $"The save data differs from {name} in {different.Length} bytes: {string.Join(", ", different.Take(MaxPlaces).Select(at => string.Create(CultureInfo.InvariantCulture, $"0x{at:X4} is {found[at]:X2}, not {expected[at]:X2}")))}."));
    }

    // the emulator takes commands between two frames only: what is measured is in the frames before the last one
    private async Task MeasureAsync(MeasureStep step, CancellationToken cancelled)
    {
        var limit = step.Limit;
        var measured = await emulator.MeasureAsync(limit, () => RunFramesAsync(step.Frames, cancelled), () => RunFramesAsync(1, cancelled), cancelled);
        if (measured.Count == 0)
        {
            throw new TestStepException(string.Create(CultureInfo.InvariantCulture, $"{(limit.From == limit.To ? $"{limit.From} was not executed twice" : $"{limit.To} was not executed after {limit.From}")} in {step.Frames} frames."));
        }

        if (measured.Most > limit.Most)
        {
            throw new TestStepException(string.Create(CultureInfo.InvariantCulture, $"{limit.Text} does not hold: it took {measured.Least} to {measured.Most} cycles, measured {measured.Count} times."));
        }
    }

    private async Task FindAsync(LogStep step, CancellationToken cancelled)
    {
        await emulator.ReadLogAsync(cancelled);
        if (!emulator.Log.Any(line => line.Contains(step.Text, StringComparison.Ordinal)))
        {
            throw new TestStepException($"The log has no \"{step.Text}\".");
        }
    }

    private async Task ReplayAsync(ReplayStep step, CancellationToken cancelled)
    {
        var name = Path.GetFileName(step.File);
        if (RecordedGame.Parse(new ReadOnlySequence<byte>(await File.ReadAllBytesAsync(step.File, cancelled)), out var wrong) is not { } recorded)
        {
            throw new TestStepException($"{name} is no recording. {wrong}", isMistake: true);
        }

        EnsureLimit(recorded.Frames);
        _inputs.AddRange(recorded.Inputs());
        var outcome = await emulator.ReplayAsync(recorded, step.KeysOnly, null, cancelled);
        if (outcome.Divergence is { } divergence)
        {
            await DescribeAsync(name, recorded, divergence, cancelled);
        }
    }

    private async Task DescribeAsync(string name, RecordedGame recorded, ReplayDivergence divergence, CancellationToken cancelled)
    {
        var places = await emulator.DifferencesAsync(recorded, divergence, cancelled);
        var pictures = Array.Empty<(string, byte[])>();
        if (divergence.Line.Picture is { } picture)
        {
            var found = await emulator.ReadScreenAsync(cancelled);
            var (_, difference, problem) = TestPictures.Compare(picture.Span, found, null, new PictureComparison());
            pictures = [("expected.png", picture.ToArray()), .. problem is null && difference.Length > 0 ? [("difference.png", difference)] : Array.Empty<(string, byte[])>()];
        }

        _files.AddRange(pictures);
        var shown = places is null ? "" : $": {string.Join(", ", places.Take(MaxPlaces).Select(static place => $"{place.Name ?? place.Location} is {place.Found}, not {place.Expected}"))}";
        if (places is not null)
        {
            _files.Add(("memory.txt", Encoding.UTF8.GetBytes(string.Concat(places.Select(static place => $"{place.Location} {place.Name} {place.Expected} {place.Found}\n")))));
        }

        throw new TestStepException(string.Create(CultureInfo.InvariantCulture, $"Memory differs from {name} after {divergence.After} frames{shown}."));
    }

    private static string Numbers(Condition condition, long[] numbers) =>
        string.Join(", ", condition.Places.Zip(numbers, static (place, number) => string.Create(CultureInfo.InvariantCulture, $"{place} is {number}")).Distinct());

    private static string Text(JsonNode? value) => value?.ToJsonString(TestJson.Readable) ?? "null";
}

/// <summary>A step has failed.</summary>
/// <param name="Line">Its line in the test file.</param>
/// <param name="Frame">After how many frames of the test; null when that is not known.</param>
/// <param name="Reason">Why.</param>
internal sealed record TestFailure(int Line, long? Frame, string Reason)
{
    /// <summary>Whether the test file is wrong, whatever the game does.</summary>
    public bool IsMistake { get; init; }


    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Line}: {Reason}{(Frame is null ? "" : $" (frame {Frame})")}");
}
