using System.Buffers;
using System.Buffers.Binary;
using MgbaBridge.Engines.Pictures;

namespace MgbaBridge.Gateway.Tests.Pictures;

public sealed class CameraPictureTests
{
    // 64 x 32 pixels, the left half black and the right half white
    private const string Baseline = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAgAEADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDmaKKKACiiigD0yiiigAooooA8zooooAKKKKAPTKKKKACiiigD/9k=";
    private const string Progressive = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wgARCAAgAEADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAYF/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEAMQAAABzAAUwAJkAFMAD//EABQQAQAAAAAAAAAAAAAAAAAAAFD/2gAIAQEAAQUCA//EABQRAQAAAAAAAAAAAAAAAAAAADD/2gAIAQMBAT8BD//EABQRAQAAAAAAAAAAAAAAAAAAADD/2gAIAQIBAT8BD//EABQQAQAAAAAAAAAAAAAAAAAAAFD/2gAIAQEABj8CA//EABQQAQAAAAAAAAAAAAAAAAAAAFD/2gAIAQEAAT8hA//aAAwDAQACAAMAAAAQAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAMP/aAAgBAwEBPxAP/8QAFBEBAAAAAAAAAAAAAAAAAAAAMP/aAAgBAgEBPxAP/8QAFBABAAAAAAAAAAAAAAAAAAAAUP/aAAgBAQABPxAD/9k=";
    private const string Cmyk = "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAbEhQXFBEbFxYXHhwbIChCKyglJShROj0wQmBVZWRfVV1baniZgWpxkHNbXYW1hpCeo6utq2eAvMm6pseZqKuk/8AAFAgAIABABEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwDma5muZrpqKKKKKKKKKKKK9Mr0yvTKKKKKKKKKKKKKK8zrzOvM6KKKKKKKKKKKKK9Mr0yvTKKKKKKKKKKKKKK8zrzOvM6KKKKKKKKKKKKK9Mr0yvTKKKKKKKKKKKKKK8zrzOvM6KKKKKKKKKKKKK9Mr0yvTKKKKKKKKKKKKKK//9k=";

    [Theory]
    [InlineData(Baseline)]
    [InlineData(Progressive)]
    public void Jpeg_IsItsMiddleInGrey(string file)
    {
        var grey = Read(Convert.FromBase64String(file));
        Assert.InRange(grey[0], 0, 8);
        Assert.InRange(grey[(56 * CameraPicture.Width) + 20], 0, 8);
        Assert.InRange(grey[(56 * CameraPicture.Width) + 100], 247, 255);
        Assert.InRange(grey[^1], 247, 255);
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(3, 2000)]
    [InlineData(2000, 3)]
    [InlineData(127, 113)]
    [InlineData(640, 480)]
    public void Png_OfAnySize_IsTheMeanOfItsPixels(int width, int height)
    {
        using var picture = new Picture(width, height);
        for (var pixel = 0; pixel < width * height; pixel++)
        {
            picture.Add([200, 200, 200]);
        }

        using var file = new MemoryStream();
        PngFile.Write(picture, 1, file);
        Assert.All(Read(file.ToArray()), static value => Assert.Equal(200, value));
    }

    [Fact]
    public void Png_OfItsOwn_IsTheSame()
    {
        var grey = Enumerable.Range(0, CameraPicture.Width * CameraPicture.Height).Select(static at => (byte)(at * 7)).ToArray();
        var png = CameraPicture.ToPng(grey);
        Assert.Equal(grey, Read(png));
        Assert.True(CameraPicture.TryReadPng(png, out var again));
        Assert.Equal(grey, again);
        Assert.True(CameraPicture.TryReadPng([], out var dark));
        Assert.All(dark, static value => Assert.Equal(0, value));
        Assert.False(CameraPicture.TryReadPng(png.AsSpan(0, 40), out _));
    }

    [Fact]
    public void Picture_ThatIsTooLarge_IsRefusedByItsHeader()
    {
        var png = CameraPicture.ToPng(new byte[CameraPicture.Width * CameraPicture.Height]);
        BinaryPrimitives.WriteInt32BigEndian(png.AsSpan(16), 10_000);
        BinaryPrimitives.WriteInt32BigEndian(png.AsSpan(20), 10_000);
        Assert.StartsWith("The picture has 10000 x 10000 pixels. Expected a PNG or JPEG with at most 16777216 pixels", Refused(png), StringComparison.Ordinal);

        var jpeg = Convert.FromBase64String(Baseline);
        var size = jpeg.AsSpan(jpeg.AsSpan().IndexOf((ReadOnlySpan<byte>)[0xFF, 0xC0]) + 5);
        BinaryPrimitives.WriteUInt16BigEndian(size, 10_000);
        BinaryPrimitives.WriteUInt16BigEndian(size[2..], 10_000);
        Assert.StartsWith("The picture has 10000 x 10000 pixels", Refused(jpeg), StringComparison.Ordinal);
    }

    [Fact]
    public void Picture_ThatIsNone_IsRefused()
    {
        Assert.StartsWith("These 9 bytes are no picture", Refused("no pixels"u8.ToArray()), StringComparison.Ordinal);
        Assert.StartsWith("These 0 bytes are no picture", Refused([]), StringComparison.Ordinal);
        Assert.StartsWith("The picture is broken, or of a kind that cannot be read", Refused(Convert.FromBase64String(Cmyk)), StringComparison.Ordinal);
        Assert.StartsWith("The picture is broken", Refused([.. Convert.FromBase64String(Baseline).Take(300)]), StringComparison.Ordinal);
        Assert.StartsWith("The picture is broken", Refused([.. Convert.FromBase64String(Baseline), .. Enumerable.Repeat<byte[]>([0xFF, 0xDA], 40).SelectMany(static marker => marker)]), StringComparison.Ordinal);
    }

    /// <summary>Each is a picture or refused.</summary>
    [Theory]
    [InlineData(Baseline)]
    [InlineData(Progressive)]
    public void Picture_ThatIsDamaged_IsNoExceptionOfTheDecoder(string file)
    {
        var random = new Random(58);
        for (var run = 0; run < 1_000; run++)
        {
            var bytes = Convert.FromBase64String(file);
            for (var change = 0; change <= random.Next(4); change++)
            {
                bytes[random.Next(2, bytes.Length)] = (byte)random.Next(256);
            }

            CameraPicture.TryRead(new ReadOnlySequence<byte>(bytes, 0, random.Next(2) == 0 ? bytes.Length : random.Next(bytes.Length)), out _, out _);
        }
    }

    private static byte[] Read(byte[] file)
    {
        Assert.True(CameraPicture.TryRead(new ReadOnlySequence<byte>(file), out var grey, out var wrong), wrong);
        Assert.Equal(CameraPicture.Width * CameraPicture.Height, grey.Length);
        return grey;
    }

    private static string Refused(byte[] file)
    {
        Assert.False(CameraPicture.TryRead(new ReadOnlySequence<byte>(file), out _, out var wrong));
        return wrong;
    }
}
