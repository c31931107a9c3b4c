namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>Tools that a client gets besides the others when it asks for them by <c>/mcp?toolsets=debug</c>: each tool costs a model attention and tokens.</summary>
[Flags]
internal enum Toolsets
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Breakpoints, steps, disassembly and registers of devices.</summary>
    Debug = 1,

    /// <summary>Fewer instead: rare tools are not listed, and one reaches them.</summary>
    Compact = 2,
}

/// <summary>Toolsets as text.</summary>
internal static class ToolsetNames
{
    /// <summary>The query parameter of <c>/mcp</c>, and the option of <c>mgba-bridge mcp</c>.</summary>
    public const string Parameter = "toolsets";

    /// <summary>All names.</summary>
    public static IReadOnlyList<string> All { get; } = [.. Enum.GetValues<Toolsets>().Where(static set => set != Toolsets.None).Select(NameOf)];

    /// <summary>The name of one.</summary>
    public static string NameOf(Toolsets set) => set.ToString().ToLowerInvariant();

    /// <summary>Reads names that commas separate. Returns what is wrong, or null.</summary>
    public static string? Read(string? text, out Toolsets sets)
    {
        sets = Toolsets.None;
        foreach (var name in (text ?? "").Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            if (!All.Contains(name))
            {
                return $"There is no toolset of this name. Expected {Parameter}={string.Join(',', All)}.";
            }

            sets |= Enum.Parse<Toolsets>(name, ignoreCase: true);
        }

        return null;
    }
}
