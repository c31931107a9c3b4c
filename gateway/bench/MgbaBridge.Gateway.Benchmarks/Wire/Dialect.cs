namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>Which of the two languages of docs/protocol.md is spoken. Only version 2 carries ids.</summary>
internal enum Dialect
{
    Version2,
    Legacy,
}
