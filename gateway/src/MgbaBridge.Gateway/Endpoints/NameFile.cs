namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Reads what a file of names says.</summary>
internal delegate T NameFile<T>(ReadOnlySpan<byte> file);
