using MgbaBridge.Gateway.Emulator;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Whether the emulator answers.</summary>
/// <param name="Ready">Whether it does.</param>
/// <param name="State">How it is.</param>
/// <param name="Since">Since when.</param>
/// <param name="Detail">What is wrong and what to do; absent when all is well.</param>
public readonly record struct ReadyAnswer(bool Ready, EmulatorState State, DateTimeOffset Since, string? Detail);
