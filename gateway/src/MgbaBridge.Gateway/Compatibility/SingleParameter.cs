namespace MgbaBridge.Gateway.Compatibility;

/// <summary>Makes a value of text, or notes in <paramref name="binding"/> what is wrong with it.</summary>
internal delegate T ReadText<out T>(Parameter parameter, ReadOnlySpan<char> text, ref Binding binding);

/// <summary>A parameter that is given once.</summary>
internal sealed class SingleParameter<T>(string type, string name, ReadText<T> read) : Parameter<T>(type, name)
{
    private T _whenAbsent = default!;
    private bool _isRequired = true;

    /// <inheritdoc/>
    public override bool IsRequired => _isRequired;

    /// <summary>What it was called in older versions.</summary>
    public string? OlderName { get; init; }

    /// <summary>The same parameter for paths on which it may be left away.</summary>
    public SingleParameter<T> Or(T whenAbsent) =>
        new(Type, Name, read) { Description = Description, Example = Example, OlderName = OlderName, _whenAbsent = whenAbsent, _isRequired = false };

    /// <inheritdoc/>
    public override T Bind(ref Binding binding)
    {
        if (binding.TryFind(Name, OlderName, out var value))
        {
            return read(this, value.Span, ref binding);
        }

        if (IsRequired)
        {
            binding.IsMissing(this);
        }

        return _whenAbsent;
    }
}
