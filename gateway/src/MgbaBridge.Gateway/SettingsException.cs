namespace MgbaBridge.Gateway;

/// <summary>The settings are wrong: one sentence for each thing.</summary>
public sealed class SettingsException(IReadOnlyList<string> sentences) : Exception(string.Join(Environment.NewLine, sentences))
{
    /// <summary>What is wrong.</summary>
    public IReadOnlyList<string> Sentences { get; } = sentences;
}
