using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations;

/// <summary>Runs operations for the callers of every interface. An interface reads the request and writes the result.</summary>
internal static class OperationInvoker
{
    /// <summary>Makes the command of a request, if the caller may run it. Returns why not, or null.</summary>
    public static Refusal? Prepare<TRequest, TCommand, TResponse>(CommandOperation<TRequest, TCommand, TResponse> operation, TRequest request, Role role, out TCommand command)
        where TCommand : struct, ICommand<TCommand>
    {
        var refusal = Check(operation.AccessOf?.Invoke(request) ?? operation.Access, role);
        command = refusal is null ? operation.Command(request) : default;
        return refusal;
    }

    /// <summary>Runs an operation that is a command.</summary>
    public static ValueTask<Result<TResponse>> RunAsync<TRequest, TCommand, TResponse>(
        CommandOperation<TRequest, TCommand, TResponse> operation, OperationContext context, TRequest request)
        where TCommand : struct, ICommand<TCommand>
    {
        if (Prepare(operation, request, context.Role, out var command) is { } refusal)
        {
            return ValueTask.FromResult<Result<TResponse>>(refusal);
        }

        context.Session?.Record(operation.Holds);
        return operation.HandlerOf?.Invoke(request) is { } handler ? handler(context, request) : context.SendAsync(command, reply => operation.Read(command, reply), operation.Timeout?.Invoke(request));
    }

    /// <summary>Runs an operation that is code of the gateway.</summary>
    public static ValueTask<Result<TResponse>> RunAsync<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation, OperationContext context, TRequest request)
    {
        if (!operation.IsWithoutToken && Check(operation.Access, context.Role) is { } refusal)
        {
            return ValueTask.FromResult<Result<TResponse>>(refusal);
        }

        context.Session?.Record(operation.Holds);
        return operation.Run(context, request);
    }

    private static Refusal? Check(Access access, Role role) => role < access.Role() ? Refusal.RoleNeeded(access.Role(), role) : null;
}
