using System.Net.WebSockets;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Endpoints;

namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <content>From messages to operations.</content>
internal sealed partial class SocketSession
{
    private const int Protocol = 1;

    private readonly SemaphoreSlim _places = new(SocketLimits.Requests, SocketLimits.Requests);
    private readonly Stack<SocketPlace> _free = new();
    private readonly Lock _gate = new();

    // said that a binary message follows, which is next
    private (SocketRequest Request, SocketOperation Operation)? _announced;

    /// <summary>A request is over.</summary>
    public void Free(SocketPlace place)
    {
        lock (_gate)
        {
            _free.Push(place);
        }

        _places.Release();
    }

    /// <summary>A request ended with an exception: the client is told, if it is still there.</summary>
    public async Task FailAsync(SocketPlace? place, SocketRequest request, Exception exception)
    {
        try
        {
            switch (exception)
            {
                case OperationCanceledException:
                    break;
                case SlowReaderException:
                    EndSlowReader();
                    break;
                case WebSocketException or ObjectDisposedException:
                    End(WebSocketCloseStatus.NormalClosure, null);
                    break;
                default:
                    Log.SocketDefect(_logger, Emulator.Id, exception);
                    await this.RefuseAsync(request.Id, Problems.Defect(exception.Message, Trace, mayHaveRun: true));
                    break;
            }
        }
        catch (Exception again) when (again is WebSocketException or SlowReaderException or ObjectDisposedException or OperationCanceledException)
        {
            End(WebSocketCloseStatus.NormalClosure, null);
        }
        finally
        {
            if (place is not null)
            {
                Free(place);
            }
        }
    }

    private void Greet(SocketDraft draft)
    {
        var json = draft.Json;
        json.WriteStartObject("hello"u8);
        json.WriteNumber("protocol"u8, Protocol);
        json.WriteString("emulator"u8, Emulator.Id);
        json.WriteString("holder"u8, Holder.Name);
        json.WriteNumber("maxMessage"u8, _limits.MaxMessage);
        json.WriteNumber("requests"u8, SocketLimits.Requests);
        json.WriteNumber("lasting"u8, SocketLimits.Lasting);
        json.WriteNumber("topics"u8, SocketLimits.Topics);
        json.WriteEndObject();
    }

    private async ValueTask TakeAsync(WebSocketMessageType type)
    {
        var request = default(SocketRequest);
        try
        {
            if (_announced is { } announced)
            {
                _announced = null;
                request = announced.Request;
                if (type == WebSocketMessageType.Binary)
                {
                    await StartAsync(request with { Bytes = _receiver.Message.ToArray() }, announced.Operation);
                    return;
                }

                await this.RefuseAsync(request.Id, "The bytes did not follow: behind a request with \"binary\": true comes a binary message.");
                request = default;
            }

            if (type == WebSocketMessageType.Binary)
            {
                await this.RefuseAsync(null, "A binary message comes only behind a request with \"binary\": true that takes bytes: memory.write or state.load.");
            }
            else if (!SocketRequest.TryParse(_receiver.Message, out request, out var wrong))
            {
                await this.RefuseAsync(request.Id, wrong);
            }
            else if (!SocketOperations.TryFind(request.Operation.Span, out var operation, out var takesBytes))
            {
                await this.RefuseAsync(request.Id, SocketOperations.Forms);
            }
            else if (takesBytes && request.IsBinary)
            {
                // the buffer is needed for the bytes
                _announced = (request with { Body = request.Body.ToArray(), Operation = default }, operation);
            }
            else
            {
                await StartAsync(request, operation);
            }
        }
        catch (Exception exception)
        {
            await FailAsync(null, request, exception);
        }
    }

    private async ValueTask StartAsync(SocketRequest request, SocketOperation operation)
    {
        await _places.WaitAsync(Over);
        SocketPlace? place;
        lock (_gate)
        {
            _free.TryPop(out place);
        }

        (place ?? new SocketPlace(this)).Run(operation, request);
    }

    private async Task AllFreeAsync()
    {
        for (var count = 0; count < SocketLimits.Requests; count++)
        {
            await _places.WaitAsync();
        }
    }
}
