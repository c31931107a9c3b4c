using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>The table of compatible paths: each row says how it is called, which command it is, and how the reply is written.</summary>
/// <param name="routes">Where the routes are added.</param>
/// <param name="options">The settings.</param>
/// <param name="tag">The group in the reference.</param>
/// <param name="effects">The role that paths with effects (POST) require; the others require viewer.</param>
internal sealed class MgbaHttpPaths(IEndpointRouteBuilder routes, CompatibilityOptions options, string tag, Role effects = Role.Owner)
{
    private const string Failures = "Compatible with mGBA-http. A failure is one or two lines of `text/plain`: 400 for a parameter, "
        + "502 for a command that failed or an emulator that cannot be reached, 504 for one that does not answer.";

    /// <summary>The version whose formats are answered.</summary>
    public MgbaHttpVersion Dialect { get; } = options.Dialect;

    /// <summary>Reads the arguments of a request.</summary>
    private delegate TArguments Bind<out TArguments>(ref QueryBinding binding);

    /// <summary>A path without parameters.</summary>
    public void Map<TCommand>(string method, string path, string summary, TCommand command, Render<object?> render, string example = "")
        where TCommand : struct, ICommand<TCommand> =>
        Add<object?, TCommand>(method, path, summary, [], static (ref _) => null, _ => command, render, example);

    /// <summary>A path with one.</summary>
    public void Map<T1, TCommand>(
        string method, string path, string summary, QueryParameter<T1> first,
        Func<T1, TCommand> command, Render<T1> render, string example = "")
        where TCommand : struct, ICommand<TCommand> =>
        Add(method, path, summary, [first], (ref binding) => first.Bind(ref binding), command, render, example);

    /// <summary>A path with two.</summary>
    public void Map<T1, T2, TCommand>(
        string method, string path, string summary, QueryParameter<T1> first, QueryParameter<T2> second,
        Func<T1, T2, TCommand> command, Render<(T1, T2)> render, string example = "")
        where TCommand : struct, ICommand<TCommand> =>
        Add(
            method, path, summary, [first, second],
            (ref binding) => (first.Bind(ref binding), second.Bind(ref binding)),
            both => command(both.Item1, both.Item2), render, example);

    /// <summary>A path with three.</summary>
    public void Map<T1, T2, T3, TCommand>(
        string method, string path, string summary, QueryParameter<T1> first, QueryParameter<T2> second, QueryParameter<T3> third,
        Func<T1, T2, T3, TCommand> command, Render<(T1, T2, T3)> render, string example = "")
        where TCommand : struct, ICommand<TCommand> =>
        Add(
            method, path, summary, [first, second, third],
            (ref binding) => (first.Bind(ref binding), second.Bind(ref binding), third.Bind(ref binding)),
            all => command(all.Item1, all.Item2, all.Item3), render, example);

    /// <summary>A path that is more than a row.</summary>
    public IEndpointConventionBuilder Map(string method, string path, OperationDescription about, QueryParameter[] parameters, RequestDelegate handler) =>
        routes.MapMethods(path, [method], handler).WithMetadata(about with
        {
            Tag = tag,
            Description = Failures,
            Inputs = [.. parameters.Select(Describe)],
            UsesEmulator = false,
        }, RequiredRole.For(HttpMethods.IsGet(method) ? Role.Viewer : effects));

    private void Add<TArguments, TCommand>(
        string method, string path, string summary, QueryParameter[] parameters, Bind<TArguments> bind,
        Func<TArguments, TCommand> command, Render<TArguments> render, string example)
        where TCommand : struct, ICommand<TCommand>
    {
        Map(method, path, PlainText.About(summary, example), parameters, http =>
        {
            var binding = new QueryBinding(http.Request.QueryString.Value);
            var arguments = bind(ref binding);
            return binding.Status == 0
                ? http.SendCompatibleAsync(arguments, command(arguments), render, options)
                : MgbaHttpFailures.WriteAsync(http, binding.Status, binding.Text).AsTask();
        });
    }

    private static Input Describe(QueryParameter parameter) => new(parameter.Name, parameter.Description, parameter.Example)
    {
        IsRequired = parameter.IsRequired,
        IsInteger = parameter.Type is "int" or "uint" or "Nullable<int>",
    };
}
