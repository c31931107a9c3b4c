using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations;

/// <summary>Runs operations for the callers of every interface. An interface reads the request and writes the result.</summary>
internal static class OperationInvoker
{
    /// <summary>Says how a request runs, if the caller may run it. Returns why not, or null.</summary>
    public static Refusal? Prepare<TRequest, TCommand, TResponse>(
        CommandOperation<TRequest, TCommand, TResponse> operation, TRequest request, Caller caller, IOperationSession? session, out CommandRun<TRequest, TCommand, TResponse> run)
        where TCommand : struct, ICommand<TCommand>
    {
        var refusal = Check(operation, operation.AccessOf?.Invoke(request) ?? operation.Access, caller, session);
        run = refusal is not null ? default : new(operation.Command(request), operation.Timeout?.Invoke(request), operation.HandlerOf?.Invoke(request));
        return refusal;
    }

    /// <summary>Checks whether the caller may run code of the gateway. Returns why not, or null.</summary>
    public static Refusal? Prepare<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation, Caller caller, IOperationSession? session) =>
        Check(operation, operation.Access, caller, session);

    /// <summary>Runs an operation that is a command.</summary>
    public static ValueTask<Result<TResponse>> RunAsync<TRequest, TCommand, TResponse>(
        CommandOperation<TRequest, TCommand, TResponse> operation, OperationContext context, TRequest request)
        where TCommand : struct, ICommand<TCommand>
    {
        if (Prepare(operation, request, context.Caller, context.Session, out var run) is { } refusal)
        {
            return ValueTask.FromResult<Result<TResponse>>(refusal);
        }

        return run.Handler is { } handler ? handler(context, request) : context.SendAsync(run.Command, reply => operation.Read(run.Command, reply), run.Timeout);
    }

    /// <summary>Runs an operation that is code of the gateway.</summary>
    public static ValueTask<Result<TResponse>> RunAsync<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation, OperationContext context, TRequest request) =>
        Prepare(operation, context.Caller, context.Session) is { } refusal ? ValueTask.FromResult<Result<TResponse>>(refusal) : operation.Run(context, request);

    /// <summary>Why a caller may not do something, or null. Owners may not change files or what the gateway keeps.</summary>
    public static Refusal? Check(Caller caller, Access access, bool isShared) => caller.Role < access.Role() ? Refusal.RoleNeeded(access.Role(), caller.Role)
        : caller.Owner is { } owner && (isShared || access == Access.Manage) ? Refusal.OperatorNeeded(owner)
        : null;

    private static Refusal? Check(Operation operation, Access access, Caller caller, IOperationSession? session)
    {
        if (!operation.IsWithoutToken && Check(caller, access, operation.IsShared) is { } refusal)
        {
            return refusal;
        }

        session?.Record(operation.Holds);
        return null;
    }
}

/// <summary>How a request of an operation that is a command runs.</summary>
/// <param name="Command">The command.</param>
/// <param name="Timeout">How long its reply may take, or null for <c>Transport:RequestTimeout</c>.</param>
/// <param name="Handler">The code of the gateway that runs it; null for the command alone.</param>
internal readonly record struct CommandRun<TRequest, TCommand, TResponse>(TCommand Command, TimeSpan? Timeout, OperationHandler<TRequest, TResponse>? Handler)
    where TCommand : struct, ICommand<TCommand>
{
    /// <summary>Whether it takes frames: sessions run others meanwhile, and can cancel it.</summary>
    public bool TakesFrames => Timeout is not null && (Handler is not null || Command.Descriptor.Lasts);
}
