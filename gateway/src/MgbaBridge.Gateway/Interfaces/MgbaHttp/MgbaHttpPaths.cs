using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>The table of compatible paths: each row is an operation that only these paths have.</summary>
/// <param name="routes">Where the routes are added.</param>
/// <param name="options">The settings.</param>
/// <param name="tag">The group in the reference.</param>
/// <param name="effects">What paths with effects (POST) need permission for.</param>
internal sealed class MgbaHttpPaths(IEndpointRouteBuilder routes, CompatibilityOptions options, string tag, Access effects = Access.Write)
{
    private const string Failures = "Compatible with mGBA-http. A failure is one or two lines of `text/plain`: 400 for a parameter, "
        + "502 for a command that failed or an emulator that cannot be reached, 504 for one that does not answer.";

    private readonly Resource _resource = new(tag, CommonJson.Default);

    /// <summary>The version whose formats are answered.</summary>
    public MgbaHttpVersion Dialect { get; } = options.Dialect;

    /// <summary>A path that is a command without parameters.</summary>
    public void Map<TCommand>(string method, string path, string summary, TCommand command, Func<Reply, MgbaHttpAnswer> answer, string example = "")
        where TCommand : struct, ICommand<TCommand> => Map(method, path, summary, Parameters.Always(command), answer, example);

    /// <summary>A path that is a command.</summary>
    public void Map<TCommand>(string method, string path, string summary, Parameters<TCommand> parameters, Func<Reply, MgbaHttpAnswer> answer, string example = "", Content? body = null)
        where TCommand : struct, ICommand<TCommand> => Add(Command(method, path, summary, parameters, answer), example, body);

    /// <summary>A path that answers with bytes: as text, or as they are for callers that accept them.</summary>
    public void MapBytes<TCommand>(string method, string path, string summary, Parameters<TCommand> parameters, string example)
        where TCommand : struct, ICommand<TCommand> =>
        Add(Command(method, path, summary, parameters, static reply => MgbaHttpAnswer.Of(reply.Tail)), example, otherContent: Content.Bytes(PlainText.Bytes));

    /// <summary>A path with effects that answers with nothing.</summary>
    public void Map<TCommand>(string path, string summary, Parameters<TCommand> parameters)
        where TCommand : struct, ICommand<TCommand> => Map(HttpMethods.Post, path, summary, parameters, static _ => MgbaHttpAnswer.Nothing);

    /// <summary>A path whose answer depends on its parameters.</summary>
    public void Map<TRequest>(string method, string path, string summary, Parameters<TRequest> parameters, OperationHandler<TRequest, MgbaHttpAnswer> run, string example) =>
        Add(new HandlerOperation<TRequest, MgbaHttpAnswer>(_resource, NameOf(path), method, path, AccessOf(method)) { Summary = summary, Request = parameters, Run = run }, example);

    /// <summary>A path that is another operation for callers that accept a picture.</summary>
    public void Map<TCommand, TPicture>(string path, string summary, Parameters<TCommand> parameters, TPicture picture)
        where TCommand : struct, ICommand<TCommand>
        where TPicture : struct, ICommand<TPicture> => Add(
            Command(HttpMethods.Post, path, summary, parameters, static _ => MgbaHttpAnswer.Nothing), "", null, Content.Bytes(PlainText.Picture),
            Command(HttpMethods.Post, path, summary, Parameters.Always(picture), static reply => MgbaHttpAnswer.Picture(reply.Tail)));

    private static string NameOf(string path) => $"mgba-http.{path.Replace("/mgba-http/", "/", StringComparison.Ordinal)[1..].Replace('/', '.')}";

    private Access AccessOf(string method) => HttpMethods.IsGet(method) ? Access.Read : effects;

    private CommandOperation<TCommand, MgbaHttpAnswer> Command<TCommand>(string method, string path, string summary, Parameters<TCommand> parameters, Func<Reply, MgbaHttpAnswer> answer)
        where TCommand : struct, ICommand<TCommand> =>
        new(_resource, NameOf(path), method, path, AccessOf(method)) { Summary = summary, Request = parameters, Read = (_, reply) => answer(reply) };

    private void Add<TRequest>(Operation<TRequest, MgbaHttpAnswer> operation, string example, Content? body = null, Content? otherContent = null, Operation? ofPictures = null)
    {
        var services = routes.ServiceProvider;
        routes.MapMethods(operation.Path, [operation.Method], http => MgbaHttpRequest.ServeAsync(
            http, ofPictures is not null && PlainText.Accepts(http, PlainText.Picture) ? ofPictures : operation, services, options)).WithMetadata(
            new OperationDescription(operation.Name, operation.Resource.Tag, operation.Summary)
            {
                Description = Failures,
                Inputs = [.. operation.Request.All.Where(static parameter => parameter.IsInQuery).Select(Describe)],
                Body = body,
                Contents = [PlainText.Example(example), .. otherContent is null ? [] : (Content[])[otherContent]],
                UsesEmulator = false,
                Statuses = MgbaHttpFailures.StatusesOf(operation),
            }, new RequiredRole(operation.Access.Role()));
    }

    private static Input Describe(Parameter parameter) => new(parameter.Name, parameter.Sentence, parameter.Example!)
    {
        IsRequired = parameter.IsRequired,
        IsInteger = parameter.Shape.JsonType == "integer",
    };
}
