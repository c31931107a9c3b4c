namespace MgbaBridge.Gateway.Benchmarks.Budget;

/// <summary>The files an emulator is started from.</summary>
internal sealed record Place(string Program, string Rom, string Script, string Saves)
{
    public Host Start(double fps, bool withScript) => new(Program, Rom, Saves, fps, withScript ? Script : null);
}
