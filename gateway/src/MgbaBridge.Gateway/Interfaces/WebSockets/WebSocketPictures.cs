using System.Net.WebSockets;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Screen;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>The picture stream of a WebSocket: at the rate that the client requests and can receive.</summary>
/// <param name="session">Whose.</param>
internal sealed class WebSocketPictures(WebSocketSession session)
{
    private readonly Lock _gate = new();
    private PictureViewer? _viewer;
    private Task _showing = Task.CompletedTask;

    /// <summary>Starts, or continues at another rate.</summary>
    public ValueTask StartAsync(WebSocketRequest request)
    {
        return WebSocketCommands.Read(request, PictureRates.Request, out var fps) is { } wrong ? session.RefuseAsync(request.Id, wrong) : StartAsync(request.Id!.Value, fps);
    }

    /// <summary>Ends.</summary>
    public ValueTask StopAsync(WebSocketRequest request)
    {
        lock (_gate)
        {
            _viewer?.Dispose();
            _viewer = null;
        }

        return session.AnswerAsync(request.Id!.Value, new RateAnswer(0), WebSocketJson.Default.RateAnswer);
    }

    /// <summary>The client is gone.</summary>
    public Task EndAsync()
    {
        lock (_gate)
        {
            _viewer?.Dispose();
            _viewer = null;
            return _showing;
        }
    }

    private async ValueTask StartAsync(WebSocketId id, double fps)
    {
        await session.AnswerAsync(id, new RateAnswer(fps), WebSocketJson.Default.RateAnswer);
        lock (_gate)
        {
            if (session.Over.IsCancellationRequested)
            {
                return;
            }

            _viewer?.Dispose();
            _viewer = session.Emulator.Pictures.Join(fps);
            _showing = Task.WhenAll(_showing, ShowAsync(_viewer));
        }
    }

    private async Task ShowAsync(PictureViewer viewer)
    {
        try
        {
            await foreach (var picture in viewer.Newest.ReadAllAsync(session.Over))
            {
                await session.Sender.SendEventAsync((Picture: picture, Session: session), static (draft, one) => Write(draft, one.Picture, one.Session), session.Over);
            }
        }
        catch (Exception exception)
        {
            await session.FailAsync(null, default, exception);
            session.End(WebSocketCloseStatus.InternalServerError, "a picture could not be sent");
        }
    }

    private static void Write(WebSocketMessage draft, Screenshot picture, WebSocketSession session)
    {
        draft.Json.WriteString("event"u8, "screen"u8);
        if (picture.Failure is { } failure)
        {
            draft.Problem(Problems.Of(failure, session.Emulator.Id, session.Trace));
            return;
        }

        draft.Body(new DoneAnswer(picture.Frame, picture.Epoch), CommonJson.Default.DoneAnswer);
        draft.Add(picture.Png);
    }
}
