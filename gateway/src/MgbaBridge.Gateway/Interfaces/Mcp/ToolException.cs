using MgbaBridge.Gateway.Operations;

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

    /// <summary>Both sentences.</summary>
    /// <param name="callOf">The call that does an operation.</param>
    public string Text(Func<Operation, string> callOf) => $"{Message.TrimEnd('.')}. Next: {next.Sentence(callOf)}";
}
