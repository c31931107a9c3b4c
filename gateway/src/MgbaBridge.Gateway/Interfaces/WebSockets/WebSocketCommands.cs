using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>What the requests of a session have in common: they run beside each other if they take frames, and are answered with a body or a problem.</summary>
internal static class WebSocketCommands
{
    // a problem is some sentences
    private const int ProblemSize = 1_024;

    /// <summary>Runs what takes frames: other requests run meanwhile, and it can be cancelled.</summary>
    public static ValueTask RunLongRunning(this WebSocketSession session, in WebSocketRequest request, Func<WebSocketRequest, CancellationToken, ValueTask> run)
    {
        if (session.LongRunning.TryBegin(request.Id!.Value, out var longRunning) is { } wrong)
        {
            return session.RefuseAsync(request.Id, Failure.Of(new CommandFailure(CommandFailureKind.Overloaded, wrong)));
        }

        _ = RunLongRunningAsync(session, request with { Body = default, Operation = default, LongRunning = longRunning }, run);
        return ValueTask.CompletedTask;
    }

    /// <summary>Answers with a body of at most so many bytes. One of another size that has to wait for its turn waits as JSON, whose size is known.</summary>
    public static ValueTask AnswerAsync<T>(this WebSocketSession session, WebSocketId id, T body, JsonTypeInfo<T> type, int? size = null)
    {
        if (size is null && session.Sender.IsBusy)
        {
            var json = JsonSerializer.SerializeToUtf8Bytes(body, type);
            return session.Sender.AnswerAsync((id, json), json.Length, static (draft, answer) =>
            {
                answer.id.WriteTo(draft.Json);
                draft.Body(answer.json);
            });
        }

        return session.Sender.AnswerAsync((id, body, type), size ?? 0, static (draft, answer) =>
        {
            answer.id.WriteTo(draft.Json);
            draft.Body(answer.body, answer.type);
        });
    }

    /// <summary>Answers with a frame, and bytes in a binary message behind it.</summary>
    public static ValueTask AnswerAsync(this WebSocketSession session, WebSocketId id, DoneAnswer body, ReadOnlySequence<byte> bytes) =>
        session.Sender.AnswerAsync((id, body, bytes), (int)bytes.Length, static (draft, answer) =>
        {
            answer.id.WriteTo(draft.Json);
            draft.Body(answer.body, CommonJson.Default.DoneAnswer);
            draft.Add(answer.bytes);
        });

    /// <summary>Answers with a body that writes itself, with bytes in a binary message behind it.</summary>
    public static ValueTask AnswerAsync<T>(this WebSocketSession session, WebSocketId id, T body, MessageWriter<T> write, bool isBinary, int size) =>
        session.Sender.AnswerAsync((id, body, write, isBinary), size, static (draft, answer) =>
        {
            answer.id.WriteTo(draft.Json);
            draft.Json.WritePropertyName("body"u8);
            answer.write(draft, answer.body, answer.isBinary);
        });

    /// <summary>Answers that the request is wrong.</summary>
    public static ValueTask RefuseAsync(this WebSocketSession session, WebSocketId? id, string detail) =>
        session.RefuseAsync(id, Problems.BadRequest(detail, session.Trace));

    /// <summary>Answers why there is no result.</summary>
    public static ValueTask RefuseAsync(this WebSocketSession session, WebSocketId? id, Failure failure) =>
        session.RefuseAsync(id, Problems.Of(failure, session.Emulator.Id, session.Trace, static operation => operation.Name));

    /// <summary>Answers with a problem.</summary>
    public static ValueTask RefuseAsync(this WebSocketSession session, WebSocketId? id, Problem problem) =>
        session.Sender.AnswerAsync((id, problem: problem with { Detail = ShownText.For(session.Caller, problem.Detail) }), ProblemSize, static (draft, answer) =>
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

    private static async Task RunLongRunningAsync(WebSocketSession session, WebSocketRequest request, Func<WebSocketRequest, CancellationToken, ValueTask> run)
    {
        try
        {
            await run(request, request.LongRunning!.Cancellation.Token);
        }
        catch (OperationCanceledException) when (!session.Over.IsCancellationRequested)
        {
            request.LongRunning!.Free();
            await RefuseCancelledAsync(session, request);
        }
        catch (Exception exception)
        {
            request.LongRunning!.Free();
            await session.FailAsync(null, request, exception);
        }
        finally
        {
            session.LongRunning.End(request.LongRunning!);
        }
    }

    private static async Task RefuseCancelledAsync(WebSocketSession session, WebSocketRequest request)
    {
        try
        {
            await session.RefuseAsync(request.Id, Failure.Of(new CommandFailure(CommandFailureKind.Rejected, "It was taken back by cancel.") { Code = ErrorCode.Cancelled }));
        }
        catch (Exception exception)
        {
            await session.FailAsync(null, request, exception);
        }
    }
}
