using System.Net.WebSockets;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Api.WebSockets;

/// <content>From messages to operations.</content>
internal sealed partial class WebSocketSession
{
    private const int Protocol = 1;

    private readonly SemaphoreSlim _places = new(WebSocketLimits.Requests, WebSocketLimits.Requests);
    private readonly Stack<WebSocketSlot> _free = new();
    private readonly Lock _gate = new();

    // said that a binary message follows, which is next
    private (WebSocketRequest Request, WebSocketHandler Operation)? _announced;

    /// <summary>A request is over.</summary>
    public void Free(WebSocketSlot place)
    {
        lock (_gate)
        {
            _free.Push(place);
        }

        _places.Release();
    }

    /// <summary>A request ended with an exception: the client is told, if it is still there.</summary>
    public async Task FailAsync(WebSocketSlot? place, WebSocketRequest request, Exception exception)
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

    private void Greet(WebSocketMessage draft)
    {
        var json = draft.Json;
        json.WriteStartObject("hello"u8);
        json.WriteNumber("protocol"u8, Protocol);
        json.WriteString("emulator"u8, Emulator.Id);
        json.WriteString("holder"u8, Holder.Name);
        json.WriteNumber("maxMessage"u8, _limits.MaxMessage);
        json.WriteNumber("requests"u8, WebSocketLimits.Requests);
        json.WriteNumber("lasting"u8, WebSocketLimits.Lasting);
        json.WriteNumber("topics"u8, WebSocketLimits.Topics);
        json.WriteEndObject();
    }

    private async ValueTask TakeAsync(WebSocketMessageType type)
    {
        var request = default(WebSocketRequest);
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
            else if (!WebSocketRequest.TryParse(_receiver.Message, out request, out var wrong))
            {
                await this.RefuseAsync(request.Id, wrong);
            }
            else if (!_handlers.TryFind(request.Operation.Span, out var operation, out var takesBytes))
            {
                await this.RefuseAsync(request.Id, _handlers.FormatHint);
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

    private async ValueTask StartAsync(WebSocketRequest request, WebSocketHandler operation)
    {
        await _places.WaitAsync(Over);
        WebSocketSlot? place;
        lock (_gate)
        {
            _free.TryPop(out place);
        }

        (place ?? new WebSocketSlot(this)).Run(operation, request);
    }

    private async Task AllFreeAsync()
    {
        for (var count = 0; count < WebSocketLimits.Requests; count++)
        {
            await _places.WaitAsync();
        }
    }
}
