using System.Globalization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Doctor;

/// <summary>Checks one script: its versions, its game and its frames.</summary>
/// <param name="interval">The time between two reads of the frame number.</param>
/// <param name="isServed">Whether a gateway runs, which commands need.</param>
internal sealed class ScriptCheck(TimeSpan interval, bool isServed)
{
    /// <summary>What to do about a paused game.</summary>
    public const string Resume = "Resume it where it was paused (mgba-headless: the control command resume).";

    /// <summary>What to do where no game is open.</summary>
    public const string GameContext = "Open a game in mGBA (mgba-headless: the control command load).";

    /// <summary>What to do where no frame runs in a window.</summary>
    public const string RunFrames = "In mGBA open a game, turn off Emulation > Pause and close dialogs; without an audio device turn off Settings > Audio > sync, or start it with SDL_AUDIODRIVER=dummy.";

    private const string Check = ScriptSearch.Check;
    private const string Game = "game";
    private const string Frames = "frames";
    private const double LowestPace = 0.8;
    private const double HighestPace = 1.2;

    // scripting begins with this version
    private static readonly Version OldestMgba = new(0, 10);

    /// <summary>Performs the checks.</summary>
    /// <param name="client">Connected to it, or what became of the attempt.</param>
    /// <param name="place">The host and port.</param>
    /// <param name="owner">The process that listens there, or null if unknown.</param>
    /// <param name="cancellationToken">Ends the checks.</param>
    public async Task<IReadOnlyList<Finding>> RunAsync(EmulatorClient client, string place, ListeningProcess? owner, CancellationToken cancellationToken)
    {
        var health = client.Health;
        return health switch
        {
            { Answers: true, Hello: { } hello } =>
                [.. Versions(hello, place), .. Sigpipe(place, owner), .. await GameAsync(client, health, place, cancellationToken)],
            { State: EmulatorState.Silent } => [.. Sigpipe(place, owner), Silent(place, owner)],
            _ => [Unusable(health, place, owner)],
        };
    }

    private static IEnumerable<Finding> Versions(HelloReply hello, string place)
    {
        var host = hello.Host == "headless" ? "mgba-headless" : "mGBA";
        var text = $"{place} is script {hello.Script} in {host} {hello.Mgba}{(hello.Title is { } title ? $", game {title} ({hello.Code})" : "")}";
        yield return Finding.Ok(Check, $"{text}.");
        if (Version.TryParse(hello.Mgba.Split('-')[0], out var mgba) && mgba < OldestMgba)
        {
            yield return Finding.Problem("mgba", $"mGBA {hello.Mgba} at {place} is too old for scripts.", $"Install mGBA {OldestMgba} or newer.");
        }
    }

    private static IEnumerable<Finding> Sigpipe(string place, ListeningProcess? owner)
    {
        if (owner is { IgnoresSigpipe: false })
        {
            yield return Finding.Warning(
                "sigpipe", $"{owner} at {place} does not ignore SIGPIPE: a client that disconnects at the wrong moment can end it.",
                "Start mGBA with SIGPIPE ignored: sh -c 'trap \"\" PIPE; exec mgba-qt GAME'.");
        }
    }

    private static Finding Silent(string place, ListeningProcess? owner) => owner switch
    {
        { IsStopped: true } => Finding.Problem(
            Frames, $"{owner} at {place} is stopped by a signal or a debugger.", string.Create(CultureInfo.InvariantCulture, $"Let it continue: kill -CONT {owner.Id}.")),
        _ => Finding.Problem(
            Frames, $"{place} accepts connections and answers nothing{(owner is null ? "" : $" ({owner})")}: in a window of mGBA no frame runs, or another program uses the port.",
            RunFrames),
    };

    private static Finding Unusable(EmulatorHealth health, string place, ListeningProcess? owner)
    {
        var detail = health.Detail ?? $"{place} ended the connection before it answered.";
        return health.State switch
        {
            EmulatorState.Refused when health.Failure is ErrorCode.AuthRequired or ErrorCode.AuthFailed or ErrorCode.AuthMissing or ErrorCode.AuthMismatch => Finding.Problem(
                "secret", detail, "Give both the same secret: Bridge:Emulators:n:Secret for the gateway, MGBA_BRIDGE_SECRET for mGBA."),
            EmulatorState.Refused => Finding.Problem(Check, detail, "Close other clients of this script."),
            EmulatorState.WrongVersion => Finding.Problem(Check, detail, ScriptSearch.Load).By(ScriptSearch.WriteScript),
            _ when ScriptSearch.IsOtherScript(health) => Finding.Problem(Check, detail, ScriptSearch.Load).By(ScriptSearch.WriteScript),
            _ => Finding.Problem(
                Check, $"{place} is not a script{(owner is null ? "" : $" ({owner})")}. {detail}", "Set Bridge:Emulators:n:Port (--emulator-port) to the port that the script shows in mGBA."),
        };
    }

    private async Task<IReadOnlyList<Finding>> GameAsync(EmulatorClient client, EmulatorHealth health, string place, CancellationToken cancellationToken) => health.State switch
    {
        EmulatorState.NoGame => [Finding.Problem(Game, $"no game is loaded at {place}.", GameContext)],
        EmulatorState.Paused => [Finding.Problem(Game, $"the game at {place} is paused.", Resume)],
        EmulatorState.Halted => [Finding.Problem(Game, $"a debugger has halted the game at {place}.", "Let it run (debug.continue), or end the debugger")],
        EmulatorState.Stopped => [Reset($"the game at {place} has stopped its machine.")],
        EmulatorState.Crashed => [Reset($"the game at {place} has crashed.")],
        _ => await FramesAsync(client, place, cancellationToken),
    };

    private Finding Reset(string text) => isServed
        ? Finding.Problem(Game, text, "Reset the game").By(TypedProgram.Command("reset"))
        : Finding.Problem(Game, text, "Start the gateway, then reset the game with mgba-bridge reset").By(TypedProgram.Command("serve"));

    private async Task<IReadOnlyList<Finding>> FramesAsync(EmulatorClient client, string place, CancellationToken cancellationToken)
    {
        var (since, (start, failure)) = (TimeProvider.System.GetTimestamp(), await FrameAsync(client, cancellationToken));
        await Task.Delay(interval, cancellationToken);
        var (end, later) = await FrameAsync(client, cancellationToken);
        var elapsed = TimeProvider.System.GetElapsedTime(since).TotalSeconds;
        if (client.Health is { Answers: true, State: not (EmulatorState.Ready or EmulatorState.Leased) } changed)
        {
            return await GameAsync(client, changed, place, cancellationToken);
        }

        if ((failure ?? later) is { } report)
        {
            return report.Kind == CommandFailureKind.Rejected ? [Finding.Problem(Frames, report.Detail, ScriptSearch.Load).By(ScriptSearch.WriteScript)] : [Silent(place, null)];
        }

        return client.Health.State == EmulatorState.Leased
            ? [Finding.Ok(Frames, $"a client steps the game at {place}: frames run when it requests them.")]
            : end == start
            ? [Finding.Problem(Frames, $"no frame ran at {place} in {elapsed.ToString("0.0", CultureInfo.InvariantCulture)} s.", "Turn off Pause in mGBA; without an audio device turn off audio sync.")]
            : [Pace(place, (end - start) / elapsed, await NominalAsync(client, cancellationToken))];
    }

    /// <summary>What a measured frame rate means.</summary>
    internal static Finding Pace(string place, double measured, double nominal)
    {
        var text = string.Create(CultureInfo.InvariantCulture, $"{place} runs {measured:0.0} frames per second");
        var expected = string.Create(CultureInfo.InvariantCulture, $"{nominal:0.0} is usual");
        return measured < 0 ? Finding.Ok(Frames, $"the game at {place} was reset or loaded a state during the measurement.")
            : measured < nominal * LowestPace
            ? Finding.Warning(Frames, $"{text}; {expected}: the machine is busy, the speed is limited, or the audio buffer is too small.", "Set the speed of mGBA to 100 %; with SDL_AUDIODRIVER=dummy set audioBuffers=2048.")
            : measured > nominal * HighestPace
            ? Finding.Warning(Frames, $"{text}; {expected}: it runs unlimited or in fast-forward.", "If this is not intended, turn off Emulation > Fast forward (mgba-headless: --fps).")
            : Finding.Ok(Frames, $"{text}.");
    }

    private static async Task<(long Frame, CommandFailure? Failure)> FrameAsync(EmulatorClient client, CancellationToken cancellationToken)
    {
        using var reply = await client.SendAsync(new ReadCoreFrame(), default, cancellationToken);
        return reply.Failure is { } failure ? (0, failure) : (ReadCoreFrame.Parse(reply), null);
    }

    private static async Task<double> NominalAsync(EmulatorClient client, CancellationToken cancellationToken)
    {
        const double Usual = 59.73;
        using var reply = await client.SendAsync(new ReadGame(), default, cancellationToken);
        return reply.Failure is null && ReadGame.Parse(reply) is { FrameCycles: > 0 } game ? (double)game.Frequency / game.FrameCycles : Usual;
    }
}
