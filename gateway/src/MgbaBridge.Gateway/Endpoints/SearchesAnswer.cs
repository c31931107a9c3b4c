namespace MgbaBridge.Gateway.Endpoints;

/// <summary>The searches of an emulator.</summary>
/// <param name="Searches">Each of them.</param>
/// <param name="Memory">How many bytes the searches of all emulators keep.</param>
/// <param name="MaxMemory">How many they may keep (the setting `Bridge:Search:MaxMemory`).</param>
public sealed record SearchesAnswer(IReadOnlyList<SearchAnswer> Searches, long Memory, long MaxMemory);
