namespace MgbaBridge.Gateway.Doctor;

/// <summary>One result of a check.</summary>
/// <param name="Check">What was checked, in one word.</param>
/// <param name="Level">How serious it is.</param>
/// <param name="Text">What was found, on one line.</param>
/// <param name="Next">What to do: a command behind a colon where one does it, otherwise a sentence. Null when there is nothing to do.</param>
internal sealed record Finding(string Check, FindingLevel Level, string Text, string? Next = null)
{
    /// <summary>The command that does it, as it can be typed; null where none does.</summary>
    public string? Command { get; private init; }

    /// <summary>Nothing is wrong.</summary>
    public static Finding Ok(string check, string text) => new(check, FindingLevel.Ok, text);

    /// <summary>It works, but not as well as it could.</summary>
    public static Finding Warning(string check, string text, string next) => new(check, FindingLevel.Warning, text, next);

    /// <summary>It does not work.</summary>
    public static Finding Problem(string check, string text, string next) => new(check, FindingLevel.Problem, text, next);

    /// <summary>The finding that decides the first step to take: the first problem, or else the first warning; null when there is none.</summary>
    public static Finding? First(IReadOnlyList<Finding> findings) =>
        findings.FirstOrDefault(finding => finding.Level == FindingLevel.Problem) ?? findings.FirstOrDefault(finding => finding.Level == FindingLevel.Warning);

    /// <summary>The same with a command that does what is to be done.</summary>
    public Finding By(string command) => this with { Next = $"{Next}: {command}", Command = command };
}

/// <summary>How serious a finding is.</summary>
internal enum FindingLevel
{
    /// <summary>Nothing is wrong.</summary>
    Ok,

    /// <summary>It works, but not as well as it could.</summary>
    Warning,

    /// <summary>It does not work.</summary>
    Problem,
}
