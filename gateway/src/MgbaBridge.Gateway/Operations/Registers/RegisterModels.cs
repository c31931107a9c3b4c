using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.Registers;

/// <summary>A register of the processor.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Name">Its name.</param>
/// <param name="Value">Its value, unsigned.</param>
public readonly record struct RegisterAnswer(
    long Frame,
    Epoch Epoch,
    string Name,
    long Value);

/// <summary>All registers of the processor.</summary>
/// <param name="Frame">The script's frame count when they were read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Registers">Values by name, unsigned. `sp`, `lr` and `pc` are other names of `r13`, `r14` and `r15`.</param>
public readonly record struct RegistersAnswer(
    long Frame,
    Epoch Epoch,
    IReadOnlyDictionary<string, long> Registers);
