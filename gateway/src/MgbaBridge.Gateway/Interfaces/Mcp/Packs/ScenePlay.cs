using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Packs;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Operations.Keys;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Packs;

/// <summary>Plays a game with a pack frame by frame, in control of it: that of the agent, or for this call.</summary>
internal sealed class ScenePlay : IAsyncDisposable
{
    private const int PressFrames = 2;
    private const int ProgressFrames = 60;

    private static readonly TimeSpan TimeLimit = TimeSpan.FromMinutes(2);

    private readonly ToolCall _call;
    private readonly GameContext _game;
    private readonly SceneReader _reader;
    private readonly GameLease _control;
    private readonly bool _isOwn;

    private ScenePlay(ToolCall call, GameContext game, GamePack pack, SceneReader reader, GameLease control, bool isOwn) =>
        (_call, _game, Pack, _reader, _control, _isOwn) = (call, game, pack, reader, control, isOwn);

    /// <summary>The pack of the game.</summary>
    public GamePack Pack { get; }

    /// <summary>How many frames it has run.</summary>
    public long Frames { get; private set; }

    /// <summary>Begins to play.</summary>
    /// <exception cref="ToolException">The game has no pack, or somebody else has control.</exception>
    public static async Task<ScenePlay> BeginAsync(ToolCall call)
    {
        call.CheckRuns();
        var game = await GameNames.OfAsync(call);
        if (game.Names.Properties?.Pack is not { } pack)
        {
            throw new ToolException("This game has no game pack, which says where the player can walk and who is there.", "use press and observe, or ask the person for a pack (docs/packs.md).");
        }

        if (SceneReader.Find(pack, game.Names, out var reader) is { } wrong)
        {
            throw new ToolException(wrong, "use press and observe, and tell the person.");
        }

        if (Observer.Holders((await call.RunAsync(KeyOperations.Get, default)), except: call.Session.Holder) is { } holders)
        {
            var held = string.Join(" and ", holders.Select(static holder => $"{holder.Key} holds {holder.Value}"));
            throw new ToolException($"{held}, so the player would not go where it is to go.", "ask that person or program to release the keys, or wait until they are up: observe shows them in holders.");
        }

        var own = call.Memory.Control;
        var control = own ?? call.ResultOf(await GameLease.TakeAsync(call.Invocation, call.Session.Agent.Client.Name, TimeLimit));
        return new ScenePlay(call, game, pack, reader, control, isOwn: own is null);
    }

    /// <summary>Where the player is now.</summary>
    /// <exception cref="ToolException">The game does not say.</exception>
    public async Task<GameScene> SceneAsync()
    {
        var (found, failure) = await ValueOperations.FindAsync(_call.Invocation, _game, _reader.Wanted);
        if (found is null)
        {
            throw NextSteps.Of(failure!, _call.Emulator);
        }

        var (scene, wrong) = _reader.Read(found.Values);
        return scene ?? throw new ToolException($"The game pack contradicts the game: {wrong}", "use press and observe, and tell the person.");
    }

    /// <summary>Runs frames with these keys down, and no others.</summary>
    public async Task StepAsync(int frames, KeySet keys)
    {
        try
        {
            await _call.StepAsync(_control, frames, keys);
        }
        catch (ToolException) when (_isOwn && _control.Ended is not null)
        {
            throw new ToolException("The control of the game that this call had was ended by somebody else.", "call observe to see where the player is, then try again.");
        }

        if ((Frames + frames) / ProgressFrames > Frames / ProgressFrames)
        {
            await _call.Progress(Frames + frames, null, FormattableString.Invariant($"{Frames + frames} frames have passed."));
        }

        Frames += frames;
    }

    /// <summary>Presses keys once.</summary>
    public async Task PressAsync(KeySet keys)
    {
        _call.Presses++;
        await StepAsync(PressFrames, keys);
        await StepAsync(PressFrames, default);
    }

    /// <summary>Nothing stays pressed, and the game continues unless the agent has control.</summary>
    public async ValueTask DisposeAsync()
    {
        await _control.ReleaseKeysAsync();
        if (_isOwn)
        {
            await _control.DisposeAsync();
        }
    }
}
