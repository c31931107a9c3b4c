namespace MgbaBridge.Gateway.Endpoints;

/// <summary>The recordings of an emulator.</summary>
/// <param name="Recordings">Oldest first.</param>
public readonly record struct RecordingsAnswer(IReadOnlyList<RecordingAnswer> Recordings);
