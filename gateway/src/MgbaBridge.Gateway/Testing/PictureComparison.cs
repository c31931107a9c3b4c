using System.Globalization;
using MgbaBridge.Engines.Yaml;
using YamlDotNet.RepresentationModel;

namespace MgbaBridge.Gateway.Testing;

/// <summary>How the pixels of two pictures are compared.</summary>
internal sealed record PictureComparison
{
    /// <summary>How many of the upper bits of red, green and blue count.</summary>
    public int ColorBits { get; init; } = TestPictures.AllBits;

    /// <summary>How far a channel may be from what is expected.</summary>
    public int Tolerance { get; init; }

    /// <summary>The four greys, from light to dark, that the expected picture has where mGBA has its own of a Game Boy; null: the same.</summary>
    public IReadOnlyList<byte>? Shades { get; init; }

    /// <summary>Whether the expected picture has the colours of a CGB as Gambatte computes them.</summary>
    public bool IsOfGambatte { get; init; }

    /// <summary>A PNG whose black pixels are not compared; null: all are.</summary>
    public string? Mask { get; init; }

    /// <summary>Its fields, of which <see cref="MaskField"/> is of steps only.</summary>
    public static IReadOnlyList<string> Fields { get; } = ["color-bits", "tolerance", "shades", "colors"];

    /// <summary>The field of the mask.</summary>
    public const string MaskField = "mask";

    /// <summary>Reads them.</summary>
    /// <param name="fields">Where they are.</param>
    /// <param name="byDefault">What counts where they are not.</param>
    /// <param name="fileOf">The file that a field names; null without it.</param>
    public static PictureComparison Of(YamlFields fields, PictureComparison byDefault, Func<YamlFields, string, string?>? fileOf = null) => new()
    {
        ColorBits = (int)(fields.Number(Fields[0], 1, TestPictures.AllBits) ?? byDefault.ColorBits),
        Tolerance = (int)(fields.Number(Fields[1], 0, byte.MaxValue) ?? byDefault.Tolerance),
        Shades = fields.Has(Fields[2]) ? ShadesOf(fields) : byDefault.Shades,
        IsOfGambatte = fields.Text(Fields[3]) switch
        {
            null => byDefault.IsOfGambatte,
            "mgba" => false,
            "gambatte" => true,
            var other => throw fields.Wrong(Fields[3], $"colors is \"{other}\"; expected mgba or gambatte."),
        },
        Mask = fileOf?.Invoke(fields, MaskField),
    };

    private static byte[] ShadesOf(YamlFields fields)
    {
        byte[] shades = [.. fields.List(Fields[2]).Select(node => byte.TryParse((node as YamlScalarNode)?.Value, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var shade)
            ? shade
            : throw YamlFields.Wrong(node, "A shade is a grey in hexadecimal, such as aa."))];
        return shades.Length == 4 ? shades : throw fields.Wrong(Fields[2], "shades are four greys from light to dark, such as [ff, aa, 55, 00].");
    }
}
