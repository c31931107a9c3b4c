namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>A call cannot be done. The model gets both sentences.</summary>
/// <param name="problem">What is wrong.</param>
/// <param name="next">What to do next.</param>
internal sealed class ToolException(string problem, string next) : Exception($"{problem.TrimEnd('.')}. Next: {next}")
{
    /// <summary>What is wrong.</summary>
    public string Problem { get; } = problem;
}
