using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>A call cannot be done. The model gets both sentences.</summary>
/// <param name="problem">What is wrong.</param>
/// <param name="next">What to do next.</param>
internal sealed class ToolException(string problem, NextStep next) : Exception(problem)
{
    /// <summary>A call cannot be done.</summary>
    public ToolException(string problem, string next)
        : this(problem, NextStep.Do(next))
    {
    }

    /// <summary>Both sentences, as the caller sees them.</summary>
    /// <param name="caller">Who sees them.</param>
    /// <param name="callOf">The call that does an operation.</param>
    public string Text(Caller caller, Func<Operation, string> callOf) => ShownText.For(caller, $"{Message.TrimEnd('.')}. Next: {next.Sentence(callOf)}");
}
