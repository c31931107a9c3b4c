using System.Buffers;
using System.IO.Pipelines;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Interfaces.Doors;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Game;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations.Memory;
using MgbaBridge.Gateway.Operations.Status;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.BizHawk;

/// <summary>
/// One client: each line is <c>VERSION</c> or a list of requests, and is answered by one line. The list runs in one frame. After a guard that does not
/// hold, each later request gets the guard's answer.
/// </summary>
internal sealed class BizHawkSession(Invocation invocation, DoorClient client, TimeProvider time)
{
    private const int MaxLine = 1_048_576;
    private const long LockMilliseconds = 2_000;

    // as in BizHawk; a client sends several lines a second
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(5);

    // the client waits for 5 s, and should see that the connection ends
    private static readonly TimeSpan Answer = TimeSpan.FromSeconds(4);

    private readonly ArrayBufferWriter<byte> _answer = new();
    private BizHawkGame? _game;
    private bool _isLocked;

    /// <summary>Answers lines until the client leaves, is silent for 5 s, or the emulator does not answer.</summary>
    public async Task RunAsync(Stream stream, CancellationToken cancelled)
    {
        var reader = PipeReader.Create(stream, new StreamPipeReaderOptions(leaveOpen: true));
        try
        {
            while (true)
            {
                using var silence = new CancellationTokenSource(Silence, time);
                using var either = CancellationTokenSource.CreateLinkedTokenSource(cancelled, silence.Token);
                if (await ReadLineAsync(reader, either.Token) is not { } line)
                {
                    return;
                }

                using var late = new CancellationTokenSource(Answer, time);
                using var waiting = CancellationTokenSource.CreateLinkedTokenSource(cancelled, late.Token);
                await AnswerAsync(line, waiting.Token);
                await stream.WriteAsync(_answer.WrittenMemory, waiting.Token);
            }
        }
        finally
        {
            await reader.CompleteAsync();
            await UnlockAsync();
        }
    }

    private static async ValueTask<byte[]?> ReadLineAsync(PipeReader reader, CancellationToken cancelled)
    {
        while (true)
        {
            var read = await reader.ReadAsync(cancelled);
            if (read.Buffer.PositionOf((byte)'\n') is { } end)
            {
                var line = read.Buffer.Slice(0, end).ToArray();
                reader.AdvanceTo(read.Buffer.GetPosition(1, end));
                return line;
            }

            reader.AdvanceTo(read.Buffer.Start, read.Buffer.End);
            if (read.IsCompleted || read.Buffer.Length > MaxLine)
            {
                return null;
            }
        }
    }

    private async Task AnswerAsync(ReadOnlyMemory<byte> line, CancellationToken cancelled)
    {
        _answer.ResetWrittenCount();
        line = line.TrimEnd((byte)'\r');
        if (line.Span.SequenceEqual("VERSION"u8))
        {
            client.Count("VERSION");
            _answer.Write("1\n"u8);
            return;
        }

        IReadOnlyList<BizHawkRequest> requests;
        try
        {
            requests = BizHawkRequest.ReadLine(line);
        }
        catch (JsonException exception)
        {
            requests = [new BizHawkRequest("", exception.Message)];
        }

        client.Count(requests is [.., { Type: var last }] ? last : "[]");
        requests = [.. requests.Select(Allowed)];
        var wanted = requests.LastOrDefault(static request => request is { Type: "LOCK" or "UNLOCK", Problem: null })?.Type;
        await LockAsync(wanted == "LOCK", cancelled);
        await RunAsync(requests, cancelled);
        if (wanted == "UNLOCK")
        {
            await UnlockAsync();
        }
    }

    private BizHawkRequest Allowed(BizHawkRequest request)
    {
        var role = invocation.Caller.Role;
        var needed = request.Type switch
        {
            "WRITE" => MemoryOperations.Write.Access.Role(),
            "LOCK" => LeaseOperations.Take.Access.Role(),
            "DISPLAY_MESSAGE" => GameOperations.Console.Access.Role(),
            _ => Access.Read.Role(),
        };
        return role >= needed ? request : new BizHawkRequest(request.Type, $"{request.Type} requires the role {needed.Name()}; the setting Bridge:Doors:BizHawk:Role is {role.Name()}");
    }

    private async Task RunAsync(IReadOnlyList<BizHawkRequest> requests, CancellationToken cancelled)
    {
        while (true)
        {
            if (requests.Any(static request => request.Type is "READ" or "WRITE" or "GUARD" or "MEMORY_SIZE" or "SYSTEM" or "HASH"))
            {
                _game = await BizHawkGame.ReadAsync(invocation with { Cancelled = cancelled }, _game);
            }

            var memory = requests.Select(MemoryOf).ToArray();
            var outcome = await RunAsync(memory, cancelled);
            if (outcome.Failure is { Code: ErrorCode.EpochChanged })
            {
                continue; // another game was loaded meanwhile
            }

            await WriteAsync(requests, memory, outcome, cancelled);
            return;
        }
    }

    private MemoryRequest? MemoryOf(BizHawkRequest request) => request.Problem is not null ? null : request.Type switch
    {
        "READ" => new MemoryRequest(MemoryAction.Read, _game!.Find(request.Domain, request.Address, request.Size), new byte[request.Size]),
        "WRITE" => new MemoryRequest(MemoryAction.Write, _game!.Find(request.Domain, request.Address, request.Data.Length), request.Data),
        "GUARD" => new MemoryRequest(MemoryAction.Guard, _game!.Find(request.Domain, request.Address, request.Data.Length), request.Data),
        _ => null,
    };

    // the outcome's guard is an index into the whole line
    private async Task<MemoryOutcome> RunAsync(MemoryRequest?[] memory, CancellationToken cancelled)
    {
        int[] indexes = [.. memory.Index().Where(static request => request.Item is not null).Select(static request => request.Index)];
        if (indexes.Length == 0)
        {
            return default;
        }

        var frame = new FrameMemory(invocation with { Options = invocation.Options with { Epoch = _game!.Epoch }, Cancelled = cancelled });
        var outcome = await frame.RunAsync([.. indexes.Select(index => memory[index]!)]);
        return outcome.Failure is null or { Code: ErrorCode.EpochChanged or ErrorCode.BadBatch }
            ? outcome with { FailedGuard = outcome.FailedGuard is { } guard ? indexes[guard] : null }
            : throw new RequestFailedException(outcome.Failure);
    }

    private async Task WriteAsync(IReadOnlyList<BizHawkRequest> requests, MemoryRequest?[] memory, MemoryOutcome outcome, CancellationToken cancelled)
    {
        using var json = new Utf8JsonWriter(_answer);
        json.WriteStartArray();
        foreach (var (index, request) in requests.Index())
        {
            json.WriteStartObject();
            if (index >= outcome.FailedGuard)
            {
                WriteGuard(json, requests[outcome.FailedGuard.Value], false);
            }
            else if ((request.Problem ?? (memory[index] is null ? null : outcome.Failure?.Detail)) is { } problem)
            {
                json.WriteString("type", "ERROR");
                json.WriteString("err", problem);
            }
            else
            {
                await WriteAsync(json, request, memory[index], cancelled);
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
        await json.FlushAsync(cancelled);
        _answer.Write("\n"u8);
    }

    private async Task WriteAsync(Utf8JsonWriter json, BizHawkRequest request, MemoryRequest? memory, CancellationToken cancelled)
    {
        switch (request.Type)
        {
            case "PING":
                json.WriteString("type", "PONG");
                return;
            case "LOCK":
                json.WriteString("type", "LOCKED");
                return;
            case "UNLOCK":
                json.WriteString("type", "UNLOCKED");
                return;
            case "GUARD":
                WriteGuard(json, request, true);
                return;
        }

        json.WriteString("type", $"{request.Type}_RESPONSE");
        switch (request.Type)
        {
            case "READ":
                json.WriteBase64String("value", memory!.Data);
                break;
            case "SYSTEM":
                json.WriteString("value", _game!.System);
                break;
            case "HASH":
                json.WriteString("value", await _game!.HashAsync(invocation with { Cancelled = cancelled }));
                break;
            case "MEMORY_SIZE":
                json.WriteNumber("value", _game!.SizeOf(request.Domain));
                break;
            case "PREFERRED_CORES":
                json.WriteStartObject("value");
                json.WriteEndObject();
                break;
            case "DISPLAY_MESSAGE":
                await DoorServer.ShowAsync(invocation with { Cancelled = cancelled }, request.Message);
                break;
        }
    }

    private static void WriteGuard(Utf8JsonWriter json, BizHawkRequest guard, bool holds)
    {
        json.WriteString("type", "GUARD_RESPONSE");
        json.WriteBoolean("value", holds);
        json.WriteNumber("address", guard.Address);
    }

    private async Task LockAsync(bool isWanted, CancellationToken cancelled)
    {
        var now = invocation with { Cancelled = cancelled };
        if (_isLocked)
        {
            using var renewed = await LeaseOperations.StepAlone.InvokeAsync(now, new StepRequest(0, null, null, null));
            _isLocked = renewed.Failure is null; // it ends by itself 2 s after the last line
        }

        if (isWanted && !_isLocked)
        {
            using var taken = await LeaseOperations.Take.InvokeAsync(now, (LockMilliseconds, null));
            taken.EnsureSuccess();
            _isLocked = true;
        }
    }

    private async Task UnlockAsync()
    {
        if (_isLocked)
        {
            _isLocked = false;
            await invocation.Emulator.Releases.ReleaseLeaseAsync(invocation.Options);
        }
    }
}
