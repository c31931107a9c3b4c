namespace MgbaBridge.Gateway.Operations;

/// <summary>What a caller can do after a refusal. Each interface names the operation in its own way: a path, a verb, a tool.</summary>
/// <param name="Operation">The operation.</param>
/// <param name="Purpose">What it does for the caller, such as <c>lists them</c>.</param>
public sealed record NextStep(Operation Operation, string Purpose);
