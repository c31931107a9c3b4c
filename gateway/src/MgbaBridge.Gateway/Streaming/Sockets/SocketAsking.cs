using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Endpoints;

namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>What every operation does: read the body, send the command, and answer with what came back or with a problem.</summary>
internal static class SocketAsking
{
    /// <summary>Sends a command and lets <paramref name="write"/> write the answer. Keep it static: it gets all it needs.</summary>
    public static ValueTask AskAsync<TCommand>(
        this SocketSession session, in SocketRequest request, in TCommand command, Action<SocketDraft, SocketReply<TCommand>> write, TimeSpan? timeout = null)
        where TCommand : struct, ICommand => AskAsync(session, request.Id!.Value, request.IsBinary, command, write, timeout, session.Over);

    /// <summary>As above, for a command that takes frames: others go on meanwhile, and it can be taken back.</summary>
    public static ValueTask AskLastingAsync<TCommand>(
        this SocketSession session, in SocketRequest request, in TCommand command, Action<SocketDraft, SocketReply<TCommand>> write, TimeSpan timeout)
        where TCommand : struct, ICommand
    {
        if (session.Lasting.TryBegin(request.Id!.Value, out var cancellation) is { } wrong)
        {
            return session.RefuseAsync(request.Id, Problems.Of(new FailureReport(Failure.Overloaded, wrong), session.Emulator.Id, session.Trace));
        }

        _ = LastAsync(session, request with { Body = default, Operation = default }, command, write, timeout, cancellation);
        return ValueTask.CompletedTask;
    }

    /// <summary>Sends a command whose caller may not leave before it is answered.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public static async ValueTask AskAsync<TCommand>(
        SocketSession session, SocketId id, bool isBinary, TCommand command, Action<SocketDraft, SocketReply<TCommand>> write, TimeSpan? timeout, CancellationToken cancellationToken)
        where TCommand : struct, ICommand
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
                await session.Sender.AnswerAsync((Reply: new SocketReply<TCommand>(id, isBinary, command, reply), Write: write), static (draft, answer) =>
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
                session.NoteRan(command.Row);
            }
        }
    }

    /// <summary>Answers with a body.</summary>
    public static ValueTask AnswerAsync<T>(this SocketSession session, SocketId id, T body, JsonTypeInfo<T> type) =>
        session.Sender.AnswerAsync((id, body, type), static (draft, answer) =>
        {
            answer.id.WriteTo(draft.Json);
            draft.Body(answer.body, answer.type);
        });

    /// <summary>Answers that the request is wrong.</summary>
    public static ValueTask RefuseAsync(this SocketSession session, SocketId? id, string detail) =>
        session.RefuseAsync(id, Problems.BadRequest(detail, session.Trace));

    /// <summary>Answers with a problem.</summary>
    public static ValueTask RefuseAsync(this SocketSession session, SocketId? id, Problem problem) =>
        session.Sender.AnswerAsync((id, problem), static (draft, answer) =>
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

    /// <summary>Reads a request's body, or says what is wrong with it.</summary>
    public static bool TryBody<T>(in SocketRequest request, JsonTypeInfo<T> type, [NotNullWhen(true)] out T? body, out string wrong)
        where T : class
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
            body = null;
            return false;
        }
    }

    private static async Task LastAsync<TCommand>(
        SocketSession session, SocketRequest request, TCommand command, Action<SocketDraft, SocketReply<TCommand>> write, TimeSpan timeout, CancellationToken cancellation)
        where TCommand : struct, ICommand
    {
        var id = request.Id!.Value;
        try
        {
            await AskAsync(session, id, request.IsBinary, command, write, timeout, cancellation);
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
            session.Lasting.End(id);
        }
    }

    private static async Task TakenBackAsync(SocketSession session, SocketRequest request)
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
