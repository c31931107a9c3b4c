using System.Text.Json.Nodes;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.OpenApi;

namespace MgbaBridge.Gateway.Interfaces.OpenApi;

/// <summary>An operation as HTTP serves it.</summary>
/// <param name="Description">What the reference says about it.</param>
/// <param name="Operation">Its declaration; null for a path of mGBA-http.</param>
/// <param name="Method">The HTTP method.</param>
/// <param name="Role">The least role that it requires.</param>
/// <param name="HasEmulator">Whether its path means an emulator, which may not be there.</param>
internal sealed record ServedOperation(OperationDescription Description, Operation? Operation, string Method, Role Role, bool HasEmulator)
{
    /// <summary>Whether its failures may be plain text: those of mGBA-http's paths that the gateway's conventions do not answer.</summary>
    public bool IsCompatible => Operation is null;

    /// <summary>Whether it sends commands that the lease of another holder keeps out.</summary>
    public bool IsKeptOutByLeases => Operation is { IsEffect: true, UsesEmulator: true };
}

/// <summary>
/// The responses of failures: those that an operation declares, and those that follow from what it is. The statuses are those of <see cref="FailureKind"/>,
/// <see cref="FailureTable"/> and <see cref="ErrorCodes"/>. Responses that are the same for many operations are written once.
/// </summary>
internal sealed class FailureResponses(OpenApiDocument document, SchemaRegistry schemas)
{
    private const string Json = "application/problem+json";
    private const string PlainText = "text/plain";
    private const string Trace = "0af7651916cd43dd8448eb211c80319c";

    private static readonly (StatusNote Note, Func<ServedOperation, bool> CanOccur)[] Common =
    [
        (FailureKind.BadRequest, static _ => true),
        (FailureKind.TokenNeeded, static served => served.Role != Role.None),
        (FailureKind.LinkEnded, static served => served.Role != Role.None),
        (FailureKind.ForeignOrigin, static _ => true),
        (FailureKind.NoTokenSet, static _ => true),
        (FailureKind.RoleNeeded, static served => served.Role > Role.Viewer),
        (FailureKind.OperatorNeeded, static served => served.Role != Role.None),
        (FailureKind.NoSuchEmulator, static served => served.HasEmulator),
        (FailureKind.TooLarge, static served => served.Description.Body is not null),
        (FailureKind.EncodedBody, static served => served.Description.Body is not null),
        (FailureKind.KeyReused, static served => Idempotency.IsFor(served.Method, served.Operation)),
        (FailureKind.TooManyRequests, static _ => true),
        (FailureKind.Defect, static _ => true),
        (FailureKind.SessionMoving, static served => served.HasEmulator),
        (FailureKind.MemoryFull, static _ => true),
        .. Notes(
            static served => served.Description.UsesEmulator,
            CommandFailureKind.Overloaded, CommandFailureKind.ConnectFailed, CommandFailureKind.ConnectTimedOut, CommandFailureKind.NotOurs, CommandFailureKind.WrongVersion, CommandFailureKind.Silent,
            CommandFailureKind.ConnectionLost, CommandFailureKind.ReplyTimedOut, CommandFailureKind.Indeterminate, CommandFailureKind.ReplyTooLarge, CommandFailureKind.Rejected, CommandFailureKind.LeaseExpired),
        .. Notes(static served => served.IsKeptOutByLeases, CommandFailureKind.Leased),
        .. Notes(
            static served => served.Description.UsesEmulator,
            (ErrorCode.NoGame, "no game is loaded."), (ErrorCode.NotRunning, "the game runs no frames, or not in the way that this needs."), (ErrorCode.Cancelled, "it was cancelled, or ended by a change of the game."),
            (ErrorCode.EpochChanged, "the script or the game is another one now."), (ErrorCode.Expired, "its reply is not kept any more."), (ErrorCode.Internal, "the script failed.")),
        .. Notes(static served => served.Description is { UsesEmulator: true, Body: not null }, (ErrorCode.HeadTooLong, "the command is too long."), (ErrorCode.TailTooLong, "the bytes are too many.")),
    ];

    private readonly HashSet<string> _written = [];

    /// <summary>Adds the failures of an operation to its responses, in the order of their statuses.</summary>
    public async Task AddAsync(OpenApiResponses responses, ServedOperation served, CancellationToken cancellationToken)
    {
        var common = Common.Where(one => one.CanOccur(served)).Select(static one => one.Note);
        var declared = served.Description.Statuses.Where(static note => note.IsFailure).ToList();
        foreach (var notes in declared.Concat(common.Where(note => declared.All(one => one.Name != note.Name))).GroupBy(static note => note.Status).OrderBy(static notes => notes.Key))
        {
            responses[$"{notes.Key}"] = declared.Any(note => note.Status == notes.Key)
                ? await ResponseAsync([.. notes], served.IsCompatible, cancellationToken)
                : await SharedAsync(notes.Key, served.IsCompatible, cancellationToken);
        }
    }

    private static IEnumerable<(StatusNote Note, Func<ServedOperation, bool> CanOccur)> Notes(Func<ServedOperation, bool> canOccur, params StatusNote[] notes) => notes.Select(note => (note, canOccur));

    private async Task<IOpenApiResponse> SharedAsync(int status, bool isCompatible, CancellationToken cancellationToken)
    {
        var name = ReasonPhrases.GetReasonPhrase(status).Replace(" ", "", StringComparison.Ordinal) + (isCompatible ? "OrText" : "");
        if (_written.Add(name))
        {
            document.AddComponent(name, await ResponseAsync([.. Common.Where(one => one.Note.Status == status).Select(static one => one.Note)], isCompatible, cancellationToken));
        }

        return new OpenApiResponseReference(name, document);
    }

    private async Task<OpenApiResponse> ResponseAsync(IReadOnlyList<StatusNote> notes, bool isCompatible, CancellationToken cancellationToken)
    {
        var content = await schemas.MediaAsync(new Content(Json, typeof(Problem), ExampleOf(notes[0])?.ToJsonString()), cancellationToken);
        var response = new OpenApiResponse
        {
            Description = string.Join(' ', notes.Select(static note => note.ToString())),
            Content = new Dictionary<string, OpenApiMediaType> { [Json] = content },
        };
        if (isCompatible)
        {
            response.Content[PlainText] = await schemas.MediaAsync(Content.Bytes(PlainText), cancellationToken);
        }

        var header = notes[0].Status switch
        {
            StatusCodes.Status401Unauthorized => ("WWW-Authenticate", "The scheme: `Bearer`."),
            StatusCodes.Status429TooManyRequests or StatusCodes.Status503ServiceUnavailable => ("Retry-After", "After how many seconds the request may be sent again."),
            _ => default,
        };
        if (header is (not null, _))
        {
            response.Headers = new Dictionary<string, IOpenApiHeader> { [header.Item1] = new OpenApiHeader { Description = header.Item2, Schema = new OpenApiSchema { Type = JsonSchemaType.String } } };
        }

        return response;
    }

    private static JsonObject? ExampleOf(StatusNote note) => note.Failure is not { } failure ? null : new JsonObject
    {
        ["type"] = FailureRule.TypeOf(failure.Name),
        ["title"] = failure.Title,
        ["status"] = failure.Status,
        ["detail"] = failure.Title + ".",
        ["traceId"] = Trace,
    };
}
