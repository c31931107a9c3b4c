namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A property.</summary>
/// <param name="Name">Its name.</param>
/// <param name="At">Where it is, or the first pointer of its chain.</param>
/// <param name="Type">What it is.</param>
/// <param name="Chain">What is added to each pointer, if any are followed.</param>
public readonly record struct PropertyAnswer(string Name, string At, string Type, IReadOnlyList<long>? Chain);
