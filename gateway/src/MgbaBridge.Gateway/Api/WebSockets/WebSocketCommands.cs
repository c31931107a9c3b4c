using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Api.Security;

namespace MgbaBridge.Gateway.Api.WebSockets;

/// <summary>What every operation does: read the body, send the command, and answer with what came back or with a problem.</summary>
internal static class WebSocketCommands
{
    // a problem is some sentences
    private const int ProblemSize = 1_024;

    /// <summary>Sends a command and lets <paramref name="write"/> write the answer. Keep it static: it gets all it needs.</summary>
    public static ValueTask SendAsync<TCommand>(
        this WebSocketSession session, in WebSocketRequest request, in TCommand command, Action<WebSocketMessage, WebSocketReply<TCommand>> write, TimeSpan? timeout = null)
        where TCommand : struct, ICommand<TCommand> => SendAsync(session, request.Id!.Value, request.IsBinary, command, write, timeout, session.Over);

    /// <summary>As above, for a command that takes frames: other requests run meanwhile, and it can be cancelled.</summary>
    public static ValueTask SendLongRunningAsync<TCommand>(
        this WebSocketSession session, in WebSocketRequest request, in TCommand command, Action<WebSocketMessage, WebSocketReply<TCommand>> write, TimeSpan timeout)
        where TCommand : struct, ICommand<TCommand>
    {
        if (session.LongRunning.TryBegin(request.Id!.Value, out var cancellation) is { } wrong)
        {
            return session.RefuseAsync(request.Id, Problems.Of(new FailureReport(Failure.Overloaded, wrong), session.Emulator.Id, session.Trace));
        }

        _ = SendLongRunningAsync(session, request with { Body = default, Operation = default }, command, write, timeout, cancellation);
        return ValueTask.CompletedTask;
    }

    /// <summary>Sends a command whose caller may not leave before it is answered.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public static async ValueTask SendAsync<TCommand>(
        WebSocketSession session, WebSocketId id, bool isBinary, TCommand command, Action<WebSocketMessage, WebSocketReply<TCommand>> write, TimeSpan? timeout, CancellationToken cancellationToken)
        where TCommand : struct, ICommand<TCommand>
    {
        var mayHaveRun = true;
        try
        {
            using var reply = await session.Emulator.SendAsync(command, new RequestOptions { Holder = session.Holder, Timeout = timeout }, cancellationToken);
            if (reply.Failure is { } failure)
            {
                mayHaveRun = failure.MayHaveRun;
                await session.RefuseAsync(id, Problems.Of(failure, session.Emulator.Id, session.Trace));
            }
            else
            {
                await session.Sender.AnswerAsync((Reply: new WebSocketReply<TCommand>(id, isBinary, command, reply), Write: write), reply.Size, static (draft, answer) =>
                {
                    answer.Reply.Id.WriteTo(draft.Json);
                    answer.Write(draft, answer.Reply);
                });
            }
        }
        finally
        {
            if (mayHaveRun)
            {
                session.RecordSent(command.Descriptor);
            }
        }
    }

    /// <summary>Answers with a body. One that has to wait for its turn waits as JSON, whose size is known.</summary>
    public static ValueTask AnswerAsync<T>(this WebSocketSession session, WebSocketId id, T body, JsonTypeInfo<T> type)
    {
        if (session.Sender.IsBusy)
        {
            var json = JsonSerializer.SerializeToUtf8Bytes(body, type);
            return session.Sender.AnswerAsync((id, json), json.Length, static (draft, answer) =>
            {
                answer.id.WriteTo(draft.Json);
                draft.Body(answer.json);
            });
        }

        return session.Sender.AnswerAsync((id, body, type), 0, static (draft, answer) =>
        {
            answer.id.WriteTo(draft.Json);
            draft.Body(answer.body, answer.type);
        });
    }

    /// <summary>Answers with a frame, and bytes in a binary message behind it.</summary>
    public static ValueTask AnswerAsync(this WebSocketSession session, WebSocketId id, DoneAnswer body, ReadOnlyMemory<byte> bytes) =>
        session.Sender.AnswerAsync((id, body, bytes), bytes.Length, static (draft, answer) =>
        {
            answer.id.WriteTo(draft.Json);
            draft.Body(answer.body, BridgeJson.Default.DoneAnswer);
            draft.Follow(answer.bytes);
        });

    /// <summary>Answers that the request is wrong.</summary>
    public static ValueTask RefuseAsync(this WebSocketSession session, WebSocketId? id, string detail) =>
        session.RefuseAsync(id, Problems.BadRequest(detail, session.Trace));

    /// <summary>Answers that the client's role is not enough.</summary>
    public static ValueTask RefuseAsync(this WebSocketSession session, WebSocketId? id, Role needed) =>
        session.RefuseAsync(id, Problems.Of(Refusal.RoleNeeded(needed, session.Role), session.Emulator.Id, session.Trace));

    /// <summary>Answers with a problem.</summary>
    public static ValueTask RefuseAsync(this WebSocketSession session, WebSocketId? id, Problem problem) =>
        session.Sender.AnswerAsync((id, problem), ProblemSize, static (draft, answer) =>
        {
            if (answer.id is { } known)
            {
                known.WriteTo(draft.Json);
            }
            else
            {
                draft.Json.WriteNull("id"u8);
            }

            draft.Problem(answer.problem);
        });

    /// <summary>Reads a request's body. False with what is wrong with it.</summary>
    public static bool TryBody<T>(in WebSocketRequest request, JsonTypeInfo<T> type, [NotNullWhen(true)] out T? body, out string wrong)
    {
        try
        {
            wrong = "";
            body = JsonSerializer.Deserialize(request.Body.Span, type);
            return body is not null;
        }
        catch (JsonException exception)
        {
            wrong = JsonBody.Explain(exception);
            body = default;
            return false;
        }
    }

    /// <summary>Reads the request of an operation, with the bytes that came with it. Returns what is wrong with it, or null.</summary>
    public static string? Read<TRequest>(in WebSocketRequest request, Parameters<TRequest> binding, out TRequest parameters)
    {
        parameters = default!;
        try
        {
            var reader = new Utf8JsonReader(request.Body.Span);
            reader.Read();
            return binding.ReadJson(ref reader, request.IsBinary && binding.TakesBytes ? request.Bytes : default(ReadOnlyMemory<byte>?), out parameters);
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            // the latter is a text with half of a surrogate pair
            return $"The body is not JSON: {exception.Message}";
        }
    }

    private static async Task SendLongRunningAsync<TCommand>(
        WebSocketSession session, WebSocketRequest request, TCommand command, Action<WebSocketMessage, WebSocketReply<TCommand>> write, TimeSpan timeout, CancellationToken cancellation)
        where TCommand : struct, ICommand<TCommand>
    {
        var id = request.Id!.Value;
        try
        {
            await SendAsync(session, id, request.IsBinary, command, write, timeout, cancellation);
        }
        catch (OperationCanceledException) when (!session.Over.IsCancellationRequested)
        {
            await TakenBackAsync(session, request);
        }
        catch (Exception exception)
        {
            await session.FailAsync(null, request, exception);
        }
        finally
        {
            session.LongRunning.End(id);
        }
    }

    private static async Task TakenBackAsync(WebSocketSession session, WebSocketRequest request)
    {
        try
        {
            var report = new FailureReport(Failure.Rejected, "It was taken back by cancel.") { Code = "cancelled" };
            await session.RefuseAsync(request.Id, Problems.Of(report, session.Emulator.Id, session.Trace));
        }
        catch (Exception exception)
        {
            await session.FailAsync(null, request, exception);
        }
    }
}
