namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>Programs that tests write.</summary>
internal static class ShellProgram
{
    /// <summary>Writes a script of the shell that can be run as a program. Returns its file.</summary>
    public static string Write(string file, string script)
    {
        File.WriteAllText(file, $"#!/bin/sh\n{script}\n");
        MakeExecutable(file);
        return file;
    }

    /// <summary>Lets a file be run as a program.</summary>
    public static void MakeExecutable(string file)
    {
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }
}
