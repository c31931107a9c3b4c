using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Compatibility;

/// <summary>Buttons that are pressed together, each as a parameter of its own: <c>buttons=A&amp;buttons=B</c>.</summary>
internal sealed class ButtonsParameter() : Parameter<KeySet>("ButtonEnum[]", "buttons")
{
    /// <inheritdoc/>
    public override KeySet Bind(ref Binding binding)
    {
        var mask = 0;
        foreach (var value in binding.ValuesOf(Name))
        {
            mask |= Parameters.ReadButton(this, value.Span, ref binding).Mask;
        }

        if (mask == 0)
        {
            binding.IsUseless("No button was named; write buttons=A&buttons=B.");
        }

        return new KeySet(mask);
    }
}
