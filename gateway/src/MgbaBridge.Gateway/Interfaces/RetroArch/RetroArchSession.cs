using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Unicode;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Interfaces.Doors;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Game;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations.Memory;
using MgbaBridge.Gateway.Operations.States;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Interfaces.RetroArch;

/// <summary>Runs the commands of an emulator's clients in order, and answers them. The clients share a pause and a slot, as they do in RetroArch.</summary>
internal sealed class RetroArchSession(Invocation invocation, Socket socket) : IAsyncDisposable
{
    /// <summary>The longest answer.</summary>
    internal const int MaxDatagram = 65_507;

    /// <summary>Clients wait for a second or two.</summary>
    internal static readonly TimeSpan RequestTimeout = TimeSpan.FromSeconds(2);

    private const int MaxBytesInFrame = 262_144;

    private static readonly TimeSpan PauseLimit = TimeSpan.FromMinutes(5);

    private readonly byte[] _answer = new byte[MaxDatagram];
    private readonly List<(RetroArchCommand Command, SocketAddress Sender)> _memory = [];
    private int _memoryBytes;
    private RetroArchGame? _game;
    private GameLease? _pause;
    private int _slot;

    // the version whose answers these are
    private static ReadOnlySpan<byte> Version => "1.14.0\n"u8;

    private bool IsPaused => _pause is { Ended: null };

    /// <summary>Runs a command. Reads and writes of memory wait for <see cref="FlushAsync"/>: those in a row run in one frame.</summary>
    public ValueTask RunAsync(in RetroArchCommand command, SocketAddress sender)
    {
        if (command.Verb is RetroArchVerb.ReadCoreMemory or RetroArchVerb.WriteCoreMemory)
        {
            _memory.Add((command, sender));
            _memoryBytes += command.Count;
            return _memoryBytes > MaxBytesInFrame ? FlushAsync() : default;
        }

        if (command.Verb == RetroArchVerb.Version && _memory.Count == 0)
        {
            Send(Version, sender);
            return default;
        }

        return RunAfterMemoryAsync(command, sender);
    }

    /// <summary>Runs the reads and writes that wait, and answers them.</summary>
    public ValueTask FlushAsync() => _memory.Count == 0 ? default : FlushMemoryAsync();

    public ValueTask DisposeAsync() => _pause?.DisposeAsync() ?? default;

    private async ValueTask RunAfterMemoryAsync(RetroArchCommand command, SocketAddress sender)
    {
        await FlushAsync();
        try
        {
            await RunNowAsync(command, sender);
        }
        catch (RequestFailedException)
        {
            // RetroArch does not answer what it cannot do
        }
    }

    private async Task RunNowAsync(RetroArchCommand command, SocketAddress sender)
    {
        switch (command.Verb)
        {
            case RetroArchVerb.Version:
                Send(Version, sender);
                break;
            case RetroArchVerb.GetStatus:
                Send(await StatusAsync(), sender);
                break;
            case RetroArchVerb.GetConfigParam:
                var name = command.Argument.Span;
                Send([.. "GET_CONFIG_PARAM "u8, .. name, .. name.SequenceEqual("video_fullscreen"u8) ? " false"u8 : " unsupported"u8], sender);
                break;
            case RetroArchVerb.ReadCoreRam:
                Send($"READ_CORE_RAM {command.Address:x} -1\n", sender);
                break;
            case RetroArchVerb.ShowMsg when May(GameOperations.Console):
                await DoorServer.ShowAsync(invocation, Encoding.UTF8.GetString(command.Argument.Span));
                break;
            case RetroArchVerb.PauseToggle:
                await (IsPaused ? _pause!.DisposeAsync().AsTask() : PauseAsync());
                break;
            case RetroArchVerb.FrameAdvance:
                await (IsPaused ? _pause!.StepAsync(1, null, default) : PauseAsync());
                break;
            case RetroArchVerb.Reset:
                (await GameOperations.Reset.InvokeAsync(invocation, new ResetGame())).Dispose();
                break;
            case RetroArchVerb.SaveState:
                await StoreOperations.Save.InvokeAsync(invocation, new StoreStateRequest(NameOf(await GameAsync(), _slot), true));
                break;
            case RetroArchVerb.LoadState:
                await LoadAsync(_slot);
                break;
            case RetroArchVerb.LoadStateSlot:
                await LoadAsync((int)command.Address);
                Send($"LOAD_STATE_SLOT {command.Address}", sender);
                break;
            case RetroArchVerb.StateSlotPlus:
                _slot = Math.Min(_slot + 1, RetroArchCommand.MaxSlot);
                break;
            case RetroArchVerb.StateSlotMinus:
                _slot = Math.Max(_slot - 1, 0);
                break;
        }
    }

    private bool May(Operation operation) => invocation.Caller.Role >= operation.Access.Role();

    private async Task PauseAsync() => _pause = (await GameLease.TakeAsync(invocation, "a client of the RetroArch server", PauseLimit)).Value;

    private async Task LoadAsync(int slot)
    {
        if (May(StoreOperations.Load))
        {
            await StoreOperations.Load.InvokeAsync(invocation, new LoadStoredRequest(NameOf(await GameAsync(), slot), AnyRom: false));
        }
    }

    private async Task<GameInfo> GameAsync()
    {
        var (game, failure) = await GameContext.ReadAsync(invocation);
        return game?.Game ?? throw new RequestFailedException(failure!);
    }

    // as RetroArch names the files
    // two ROMs may have one title
    private static string NameOf(GameInfo game, int slot) => $"{FileNameOf(game)} {game.Crc32:X8}.state{(slot == 0 ? "" : $"{slot}")}";

    private static string FileNameOf(GameInfo game)
    {
        var name = string.Concat(game.Title.Where(static letter => char.IsLetterOrDigit(letter) || letter is ' ' or '-' or '_')).Trim();
        return name.Length > 0 && char.IsLetterOrDigit(name[0]) ? name : $"{game.Crc32:x8}";
    }

    private async Task<string> StatusAsync()
    {
        try
        {
            var game = await GameAsync();
            var state = IsPaused || invocation.Emulator.Health.State == EmulatorState.Paused ? "PAUSED" : "PLAYING";
            return $"GET_STATUS {state} {(game.Platform == "gba" ? "game_boy_advance" : "game_boy")},{FileNameOf(game)},crc32={game.Crc32:x}\n";
        }
        catch (RequestFailedException exception) when (exception.Failure.Code == ErrorCode.NoGame)
        {
            return "GET_STATUS CONTENTLESS";
        }
    }

    private async ValueTask FlushMemoryAsync()
    {
        try
        {
            // another game may be loaded after its addresses were looked up
            while (!await TryAccessMemoryAsync())
            {
                _game = null;
            }
        }
        catch (RequestFailedException)
        {
            // the emulator does not answer, and neither does RetroArch then
        }
        finally
        {
            _memory.Clear();
            _memoryBytes = 0;
        }
    }

    private async Task<bool> TryAccessMemoryAsync()
    {
        _game ??= await GameMemory.ReadAsync(invocation, null) is { } memory ? new RetroArchGame(memory) : null;
        var requests = new List<MemoryRequest>();
        var outcomes = new (MemoryRequest? Request, string? Problem)[_memory.Count];
        for (var index = 0; index < outcomes.Length; index++)
        {
            outcomes[index] = RequestOf(_memory[index].Command);
            if (outcomes[index].Request is { } request)
            {
                requests.Add(request);
            }
        }

        var outcome = await new FrameMemory(invocation with { Options = invocation.Options with { Epoch = _game?.Memory.Epoch } }).RunAsync(requests);
        if (outcome.Failure is { } failure)
        {
            return failure.Code == ErrorCode.EpochChanged ? false : throw new RequestFailedException(failure);
        }

        for (var index = 0; index < outcomes.Length; index++)
        {
            var (command, sender) = _memory[index];
            Send(command, outcomes[index].Request, outcomes[index].Problem, sender);
        }

        return true;
    }

    private (MemoryRequest? Request, string? Problem) RequestOf(RetroArchCommand command)
    {
        if (_game is null)
        {
            return (null, "no memory map defined");
        }

        if (_game.Find(command.Address) is not { } region)
        {
            return (null, "no descriptor for address");
        }

        var part = region.Take(command.Count);
        var bytes = new byte[part.Length];
        if (command.Verb == RetroArchVerb.ReadCoreMemory)
        {
            return (new MemoryRequest(MemoryAction.Read, [part], bytes), null);
        }

        if (region.IsReadOnly || !May(MemoryOperations.Write))
        {
            return (null, "descriptor data is readonly");
        }

        command.CopyBytes(bytes);
        return (new MemoryRequest(MemoryAction.Write, [part], bytes), null);
    }

    private void Send(RetroArchCommand command, MemoryRequest? request, string? problem, SocketAddress sender)
    {
        var isRead = command.Verb == RetroArchVerb.ReadCoreMemory;
        if (request is null || !isRead)
        {
            Send($"{command.Name} {command.Address:x} {(request is null ? $"-1 {problem}" : $"{request.Data.Length}")}\n", sender);
            return;
        }

        Utf8.TryWrite(_answer, $"{command.Name} {command.Address:x}", out var length);
        if (length + (request.Data.Length * 3) + 1 > MaxDatagram)
        {
            return;
        }

        foreach (var value in request.Data)
        {
            _answer[length] = (byte)' ';
            _ = value.TryFormat(_answer.AsSpan(length + 1), out _, "X2");
            length += 3;
        }

        _answer[length] = (byte)'\n';
        Send(_answer.AsSpan(0, length + 1), sender);
    }

    private void Send(string answer, SocketAddress sender) => Send(_answer.AsSpan(0, Encoding.UTF8.GetBytes(answer, _answer)), sender);

    private void Send(ReadOnlySpan<byte> answer, SocketAddress sender)
    {
        try
        {
            socket.SendTo(answer, SocketFlags.None, sender);
        }
        catch (SocketException)
        {
            // the sender is gone
        }
    }
}
