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
        var needed = (operation.AccessOf?.Invoke(request) ?? operation.Access).Role();
        if (role < needed)
        {
            command = default;
            return Refusal.RoleNeeded(needed, role);
        }

        return operation.Command(request, out command) is { } wrong ? Refusal.BadRequest(wrong) : null;
    }

    /// <summary>Runs an operation that is a command.</summary>
    public static ValueTask<Result<TResponse>> RunAsync<TRequest, TCommand, TResponse>(
        CommandOperation<TRequest, TCommand, TResponse> operation, OperationContext context, Role role, TRequest request)
        where TCommand : struct, ICommand<TCommand>
    {
        if (Prepare(operation, request, role, out var command) is { } refusal)
        {
            return ValueTask.FromResult<Result<TResponse>>(refusal);
        }

        context.Session?.Record(operation.Holds);
        return operation.HandlerOf?.Invoke(request) is { } handler ? handler(context, request) : context.SendAsync(command, reply => operation.Read(command, reply), operation.Timeout?.Invoke(request));
    }

    /// <summary>Runs an operation that is code of the gateway. The interface has checked the role, which is the same for all requests.</summary>
    public static ValueTask<Result<TResponse>> RunAsync<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation, OperationContext context, TRequest request)
    {
        context.Session?.Record(operation.Holds);
        return operation.Run(context, request);
    }
}
