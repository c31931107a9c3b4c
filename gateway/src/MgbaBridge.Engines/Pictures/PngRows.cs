namespace MgbaBridge.Engines.Pictures;

/// <summary>The rows of a PNG, without their filters. A row is valid until the next one is read.</summary>
/// <param name="inflate">What they are read from.</param>
/// <param name="form">Their form.</param>
/// <param name="width">Pixels in a row.</param>
/// <param name="height">How many rows there are.</param>
internal ref struct PngRows(Stream inflate, PngForm form, int width, int height)
{
    private readonly int _step = Math.Max(1, form.Bits / 8);
    private byte[] _row = new byte[(((long)width * form.Bits) + 7) / 8];
    private byte[] _above = new byte[(((long)width * form.Bits) + 7) / 8];
    private int _left = height;

    public readonly ReadOnlySpan<byte> Current => _row;

    public readonly PngRows GetEnumerator() => this;

    public bool MoveNext()
    {
        if (_left-- <= 0)
        {
            return false;
        }

        (_row, _above) = (_above, _row);
        var filter = inflate.ReadByte();
        if (inflate.ReadAtLeast(_row, _row.Length, throwOnEndOfStream: false) < _row.Length)
        {
            throw new InvalidDataException("The pixels are truncated.");
        }

        PngFilters.Undo((PngFilter)filter, _row, _above, _step);
        return true;
    }
}
