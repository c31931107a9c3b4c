namespace MgbaBridge.Gateway.Commands;

/// <summary>A command that names a file where the emulator runs.</summary>
public interface IFileCommand : ICommand
{
    /// <summary>The file: a path below one of the script's folders, or relative to the first of them.</summary>
    string Path { get; }
}
