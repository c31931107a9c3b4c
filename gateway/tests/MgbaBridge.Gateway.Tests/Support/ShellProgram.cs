using System.Diagnostics;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>Programs that tests write.</summary>
internal static class ShellProgram
{
    /// <summary>Writes a script of the shell that can be run as a program. Returns its file.</summary>
    public static string Write(string file, string script)
    {
        var text = $"{file}.text";
        File.WriteAllText(text, $"#!/bin/sh\n{script}\n");
        Install(text, file);
        return file;
    }

    /// <summary>
    /// Moves a file to where it can be run as a program. Another process writes it there: a program that a concurrent test starts would keep
    /// this process's own file open for a moment, and the system runs no file that is open for writing.
    /// </summary>
    public static void Install(string from, string to)
    {
        using (var install = Process.Start("install", ["-m", "700", from, to]))
        {
            install.WaitForExit();
            Assert.Equal(0, install.ExitCode);
        }

        File.Delete(from);
    }
}
